// One run in the compare page: a card with its name, its verdict, its picture, and what it shows now.
import { percent } from './heat.js';
import { isNumber, make } from './page.js';

// Colours of the runs, --run-1 ... in compare.css, used in turn.
const colours = 12;

export function runColour(index) {
    return `var(--run-${(index % colours) + 1})`;
}

export class ComparePanel {
    // entry: what the page says about the run; run: null where it left no cache.
    constructor(entry, index, run) {
        this.entry = entry;
        this.run = run;
        this.hasFrames = !!run && run.frameCount > 0;
        this.colour = runColour(index);
        this.inSight = true;
        this.strain = null;
        this.build();
    }

    build() {
        const { entry } = this;
        this.card = make('article', undefined, entry.reached ? 'panel card' : 'panel card missed');
        const head = make('header'), name = make('h3'), swatch = make('i', undefined, 'swatch');
        swatch.style.background = this.colour;
        name.append(swatch, make('span', entry.name, 'name'));
        name.title = entry.name;
        const verdict = make('p', entry.verdict, entry.reached ? 'badge good' : 'badge bad');
        verdict.title = entry.verdict;
        head.append(name, verdict);
        this.picture = make('div', undefined, 'picture');
        this.canvas = make('canvas');
        this.canvas.setAttribute('aria-label', `${entry.name}, drawn in three dimensions`);
        this.canvas.title = 'Drag to turn all runs; Ctrl and wheel zooms';
        this.ended = make('p', '', 'ended');
        this.ended.hidden = true;
        this.picture.append(this.hasFrames ? this.canvas : make('p', 'This run has left no frame to show.', 'nothing'), this.ended);
        const foot = make('footer');
        this.frameText = make('span', '', 'frame');
        this.strainText = make('span', '', 'strain');
        foot.append(this.frameText, this.strainText);
        this.card.append(head, this.picture, foot);
        this.pen = this.canvas.getContext('2d', { alpha: false });
    }

    // Height of what stands above and below the picture [pixels].
    textHeight() {
        return this.card.offsetHeight - this.picture.offsetHeight;
    }

    // end: of the longest run [s]; last: number of its last frame.
    tellLength(end, last) {
        this.lastFrame = last;
        this.endTime = this.run.times.at(-1);
        this.endsEarly = this.endTime < end - 1e-3 / this.run.info.fps;
        this.ended.textContent = `Ended at ${this.endTime.toFixed(3)} s: this is its last frame`;
    }

    // Tells the texts of a time [s] and notes what is to be drawn then.
    showAt(time, tolerance, marked) {
        const { run } = this, { frame: k, share } = run.at(time), frame = run.info.frames[k];
        this.wanted = { k, share, marked };
        this.strain = frame.max_strain;
        this.frameText.textContent = `frame ${frame.frame} / ${this.lastFrame}`;
        this.strainText.textContent = `strain ${percent(frame.max_strain)}`;
        const above = !isNumber(frame.max_strain) || (tolerance > 0 && frame.max_strain > tolerance * (1 + 1e-9));
        this.strainText.classList.toggle('above', above);
        this.ended.hidden = !(this.endsEarly && time > this.endTime + 1e-9);
    }

    // Brings the wanted frame on the stage.
    bring() {
        if (!this.wanted) return;
        this.view.show(this.wanted.k, this.wanted.share, this.wanted.marked);
        this.wanted = null;
    }

    // Takes the picture that has just been drawn.
    copy(drawing) {
        const { canvas } = this;
        if (canvas.width !== drawing.width || canvas.height !== drawing.height) {
            [canvas.width, canvas.height] = [drawing.width, drawing.height];
        }
        this.pen.drawImage(drawing, 0, 0);
        canvas.dataset.drawn = Number(canvas.dataset.drawn ?? 0) + 1;
    }
}
