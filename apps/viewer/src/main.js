// Puts the viewer together: the run from the page, the stage, playback, and every control.
import * as THREE from 'three';
import { ClothView } from './cloth.js';
import { HeatScale, percent } from './heat.js';
import { ObstacleView } from './obstacles.js';
import { drawLegend, drawPlot, element, fillLists, fillSummary } from './panel.js';
import { Player } from './player.js';
import { Run } from './run.js';
import { Stage, themes } from './stage.js';

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

function say(text) {
    element('message').textContent = text;
    element('message').hidden = false;
}

class Viewer {
    constructor(run) {
        this.run = run;
        this.view = { mode: 'solid', heat: false };
        this.heat = new HeatScale(run);
        this.drawn = 0;
        const canvas = element('canvas');
        this.stage = new Stage(canvas, () => (canvas.dataset.drawn = ++this.drawn));
        canvas.addEventListener('webglcontextlost', () => say('The browser has given the drawing up. Reload the page.'));
        this.player = new Player(run.times, () => this.show());
        this.buildScene();
        fillSummary(run);
        fillLists(run, (k, on) => this.setVisible(this.cloths[k], on), (k, on) => this.setVisible(this.obstacles[k], on));
        drawPlot(run);
        this.connectTimeline();
        this.connectView();
        this.connectLegend();
        this.connectKeys();
        this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
        if (window.innerWidth <= 720) document.body.classList.add('no-panel');
        this.makeRoom();
        new ResizeObserver(() => this.makeRoom()).observe(element('stage'));
        this.player.seek(0);
    }

    buildScene() {
        const { info } = this.run, bounds = this.bounds();
        const extent = bounds.getSize(new THREE.Vector3()).length();
        this.positions = new Float32Array(3 * info.vertices);
        this.codes = new Uint8Array(info.vertices);
        const shared = { positions: this.positions, codes: this.codes, heatTexture: this.heat.texture, extent };
        this.cloths = info.cloths.map((_, k) => new ClothView(this.run, k, shared));
        const place = { extent, focus: bounds.getCenter(new THREE.Vector3()), depth: this.contactDepth(extent) };
        this.obstacles = info.obstacles.map((_, k) => new ObstacleView(this.run, k, place));
        for (const view of [...this.cloths, ...this.obstacles]) {
            view.group.visible = this.run.frameCount > 0;
            this.stage.scene.add(view.group);
        }

        // Take obstacles into the picture, but let none dwarf the cloth.
        const all = bounds.clone(), room = bounds.clone().expandByScalar(0.75 * extent);
        for (const view of this.obstacles) view.growBox(all);
        all.intersect(room);
        const level = (view) => view.floor && view.obstacle.normal[2] > 0.99;
        const floorHeight = this.obstacles.some(level) ? null : all.min.z - 0.04 * extent;
        if (floorHeight !== null) all.min.z = floorHeight;
        this.stage.frameScene(all, floorHeight);
        this.marker = this.makeMarker();
        this.stage.scene.add(this.marker);
    }

    // How deep faces of the cloth may cut into a solid that their corners touch [m]: a part of an edge.
    contactDepth(extent) {
        const mean = this.run.meanEdge();
        return Math.min(0.6 * mean, 0.02 * extent);
    }

    // Where the cloth goes during the run; a run that blew up is framed by its first frame.
    bounds() {
        const box = new THREE.Box3();
        const { low, high } = this.run.info.bounds;
        if (this.run.frameCount > 0) {
            const { boxes } = this.run.frame(0);
            for (let c = 0; c < boxes.length; c += 6) {
                const min = new THREE.Vector3().fromArray(boxes, c);
                box.expandByPoint(min).expandByPoint(min.clone().add(new THREE.Vector3().fromArray(boxes, c + 3)));
            }
        }
        if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
        const room = box.clone().expandByScalar(2 * Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3));
        if (low && high) box.union(new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high)).intersect(room));
        return box;
    }

    // A ring that marks the vertex of largest strain.
    makeMarker() {
        const picture = document.createElement('canvas');
        picture.width = picture.height = 64;
        const pen = picture.getContext('2d');
        for (const [style, width] of [['#ffffff', 9], ['#d3145c', 5]]) {
            pen.strokeStyle = style;
            pen.lineWidth = width;
            pen.beginPath();
            pen.arc(32, 32, 24, 0, 2 * Math.PI);
            pen.stroke();
        }
        const texture = new THREE.CanvasTexture(picture);
        texture.colorSpace = THREE.SRGBColorSpace;
        const marker = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: false, sizeAttenuation: false }));
        marker.scale.setScalar(0.022);
        marker.renderOrder = 10;
        return marker;
    }

    setVisible(view, on) {
        view.group.visible = on;
        this.show();
    }

    // Brings the frame of the player on the stage and into the texts.
    show() {
        const { run, player } = this, { info } = run;
        if (run.frameCount > 0) {
            run.positions(player.frame, player.share, this.positions);
            this.codes.set(run.frame(player.frame).codes);
            for (const cloth of this.cloths) if (cloth.group.visible) cloth.update();
            for (const obstacle of this.obstacles) obstacle.update(player.frame, player.share);
            this.showTexts(info.frames[player.frame]);
        }
        element('scrub').value = player.frame;
        element('scrub').style.setProperty('--played', player.end > 0 ? player.frame / player.end : 0);
        if (this.iconShown !== player.playing) {
            this.iconShown = player.playing;
            icon('play', player.playing ? 'pause' : 'play');
            element('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
        }
        this.stage.changed();
    }

    showTexts(frame) {
        const last = Math.max(this.run.info.cache_frames - 1, 0);
        element('frame-readout').textContent = `frame ${frame.frame} / ${last}`;
        element('time-readout').textContent = `${this.player.time.toFixed(3)} s`;
        element('strain-readout').textContent = `largest strain ${percent(frame.max_strain)}`;
        element('legend-max').textContent = `now at most ${percent(frame.max_strain)}`;
        const owner = this.cloths.find(({ cloth }) =>
            frame.worst >= cloth.first_vertex && frame.worst < cloth.first_vertex + cloth.vertices);
        this.marker.visible = this.view.heat && element('legend-mark').checked && !!owner?.group.visible;
        if (owner) this.marker.position.fromArray(this.positions, 3 * frame.worst);
    }

    connectTimeline() {
        const { player } = this, scrub = element('scrub');
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

    connectView() {
        for (const button of document.querySelectorAll('input[name=surface]')) {
            button.addEventListener('change', () => this.setMode(button.value));
        }
        element('show-strain').addEventListener('change', (event) => this.setHeat(event.target.checked));
        element('show-grid').addEventListener('change', (event) => this.setGrid(event.target.checked));
        element('show-shadow').addEventListener('change', (event) => this.stage.setShadows(event.target.checked));
        element('reset-view').addEventListener('click', () => this.stage.resetView());
        element('save-picture').addEventListener('click', () => this.savePicture());
        element('theme-button').addEventListener('click', () => this.toggleTheme());
        element('panel-button').addEventListener('click', () => this.togglePanel());
        const floor = this.stage.floor ?? this.obstacles.find((view) => view.floor).floor;
        const [fine, strong] = [1, 10].map((lines) => Number((lines * floor.uniforms.spacing.value).toPrecision(1)));
        element('show-grid').parentElement.title = `Lines every ${fine} m, strong every ${strong} m; z is up`;
    }

    setMode(mode) {
        this.view.mode = mode;
        document.querySelector(`input[name=surface][value=${mode}]`).checked = true;
        this.applyView();
    }

    setHeat(on) {
        this.view.heat = on;
        element('show-strain').checked = on;
        element('legend').hidden = !on;
        this.applyView();
    }

    setGrid(on) {
        element('show-grid').checked = on;
        for (const floor of [this.stage.floor, ...this.obstacles.map((view) => view.floor)]) {
            if (floor) floor.uniforms.grid.value = on ? 1 : 0;
        }
        this.stage.invalidate();
    }

    applyView() {
        for (const cloth of this.cloths) cloth.setMode(this.view.mode, this.view.heat);
        this.show();
    }

    connectLegend() {
        for (const [value, name] of Object.entries(this.heat.names)) element('legend-scale').append(new Option(name, value));
        const change = () => {
            this.heat.choice = element('legend-scale').value;
            this.heat.log = element('legend-log').checked;
            this.heat.rebuild();
            drawLegend(this.run, this.heat);
            this.show();
        };
        for (const id of ['legend-scale', 'legend-log', 'legend-mark']) element(id).addEventListener('change', change);
        drawLegend(this.run, this.heat);
    }

    setTheme(name) {
        this.themeName = name;
        document.documentElement.dataset.theme = name;
        this.stage.setTheme(themes[name]);
        for (const obstacle of this.obstacles) obstacle.setTheme(themes[name]);
        for (const cloth of this.cloths) cloth.setTheme(name);
    }

    toggleTheme() {
        this.setTheme(this.themeName === 'dark' ? 'light' : 'dark');
    }

    togglePanel() {
        document.body.classList.toggle('no-panel');
        this.makeRoom();
    }

    // Fits the picture into the window, out from under the panel and the time line.
    makeRoom() {
        const panel = element('panel').getBoundingClientRect(), beside = panel.left > window.innerWidth / 2;
        this.stage.resize(panel.width > 0 && beside ? panel.width / 2 : 0, 30);
    }

    savePicture() {
        this.stage.picture((blob) => {
            const link = document.createElement('a');
            link.href = URL.createObjectURL(blob);
            link.download = `${this.run.info.scene || 'taut'}-${this.run.info.frames[this.player.frame]?.frame ?? 0}.png`;
            link.click();
            URL.revokeObjectURL(link.href);
        });
    }

    connectKeys() {
        const modes = ['solid', 'mesh', 'wire'];
        const actions = {
            ' ': () => this.player.toggle(),
            ArrowLeft: (event) => this.step(event.shiftKey ? -10 : -1),
            ArrowRight: (event) => this.step(event.shiftKey ? 10 : 1),
            Home: () => this.step(-Infinity),
            End: () => this.step(Infinity),
            w: () => this.setMode(modes[(modes.indexOf(this.view.mode) + 1) % modes.length]),
            s: () => this.setHeat(!this.view.heat),
            g: () => this.setGrid(!element('show-grid').checked),
            r: () => this.stage.resetView(),
            l: () => this.toggleLoop(),
            d: () => this.toggleTheme(),
            p: () => this.togglePanel(),
        };
        // Give the focus back after a click, so that keys mean the same wherever the pointer was.
        window.addEventListener('click', (event) => {
            if (event.detail > 0 && event.target.tagName !== 'SELECT') document.activeElement.blur();
        });
        window.addEventListener('keydown', (event) => {
            if (event.key === ' ' && event.target.matches('button, input, summary')) return;
            if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
            const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
            if (!action) return;
            event.preventDefault();
            action(event);
        });
    }

    // Draws when something has changed, for as long as the page is open.
    start() {
        this.stage.renderer.setAnimationLoop((now) => {
            this.player.tick(now);
            this.stage.tick();
        });
        document.documentElement.dataset.state = 'ready';
        if (this.run.frameCount === 0) say('The cache of this run holds no frame yet.');
    }
}

try {
    new Viewer(new Run()).start();
} catch (error) {
    say(`This page cannot be shown: ${error.message}`);
    document.documentElement.dataset.state = 'failed';
    throw error;
}
