// The bar at the bottom of a page: buttons, slider, speed and loop of a player.
import { element } from './page.js';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
const icons = {
    play: '<path d="M4 2.5v11l9-5.5z"/>',
    pause: '<path d="M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z"/>',
    previous: '<path d="M3 2.5h2v11H3zM13 2.5v11L6 8z"/>',
    next: '<path d="M11 2.5h2v11h-2zM3 2.5v11L10 8z"/>',
    loop: '<path d="M2 7.5V6a2.5 2.5 0 0 1 2.5-2.5H10V1.2L13.8 4.3 10 7.4V5H4.5a1 1 0 0 0-1 1v1.5zM14 8.5V10a2.5 2.5 0 0 1-2.5 2.5H6v2.3L2.2 11.7 6 8.6V11h5.5a1 1 0 0 0 1-1V8.5z"/>',
};

function icon(id, name) {
    element(id).innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true">${icons[name]}</svg>`;
}

export class Timeline {
    constructor(player) {
        this.player = player;
        const scrub = element('scrub');
        scrub.max = Math.max(player.end, 0);
        scrub.addEventListener('input', () => {
            player.playing = false;
            player.seek(Number(scrub.value));
        });
        icon('previous', 'previous');
        icon('next', 'next');
        icon('loop', 'loop');
        element('play').addEventListener('click', () => player.toggle());
        element('previous').addEventListener('click', () => this.step(-1));
        element('next').addEventListener('click', () => this.step(1));
        element('loop').addEventListener('click', () => this.toggleLoop());
        for (const speed of speeds) element('speed').append(new Option(`${speed}×`, speed, speed === 1, speed === 1));
        element('speed').addEventListener('change', (event) => (player.speed = Number(event.target.value)));
        for (const id of ['play', 'previous', 'next', 'scrub']) element(id).disabled = player.end < 1;
    }

    step(frames) {
        this.player.playing = false;
        this.player.seek(this.player.frame + frames);
    }

    toggleLoop() {
        this.player.loop = !this.player.loop;
        element('loop').setAttribute('aria-pressed', this.player.loop);
    }

    // Brings the state of the player into the bar.
    show() {
        const { player } = this;
        element('scrub').value = player.frame;
        element('scrub').style.setProperty('--played', player.end > 0 ? player.frame / player.end : 0);
        if (this.iconShown === player.playing) return;
        this.iconShown = player.playing;
        icon('play', player.playing ? 'pause' : 'play');
        element('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    }

    keys() {
        return {
            ' ': () => this.player.toggle(),
            ArrowLeft: (event) => this.step(event.shiftKey ? -10 : -1),
            ArrowRight: (event) => this.step(event.shiftKey ? 10 : 1),
            Home: () => this.step(-Infinity),
            End: () => this.step(Infinity),
            l: () => this.toggleLoop(),
        };
    }
}
