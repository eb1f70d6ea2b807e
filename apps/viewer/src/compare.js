// Puts the compare page together: the texts first, so that they are there whatever the drawing does,
// then the runs in their panels, all at the same time of one player and seen by one camera.
import { ComparePanel } from './compare_panel.js';
import { drawStrains, fillReport } from './compare_report.js';
import { CompareStage } from './compare_stage.js';
import { HeatScale, percent } from './heat.js';
import { connectKeys, count, element, isNumber, open, preferredTheme, say } from './page.js';
import { Player } from './player.js';
import { Run } from './run.js';
import { RunView, runBounds, sceneFrame } from './run_view.js';
import { Timeline } from './timeline.js';
import { ViewControls } from './view_controls.js';

// Of the layout [pixels]: between panels, the least width of a panel, and what the time line covers.
const gap = 16, leastWidth = 300, timelineHeight = 92;

function readPage() {
    const block = element('taut-compare');
    if (!block) throw new Error('there are no runs in this page; `taut compare` writes them');
    return JSON.parse(block.textContent);
}

// The times of all frames of all runs [s], ascending; times closer than a thousandth of a frame are one.
function mergeTimes(runs) {
    const least = 1e-3 / Math.max(...runs.map((run) => run.info.fps), 1);
    const times = [];
    for (const time of runs.flatMap((run) => run.times).sort((a, b) => a - b)) {
        if (times.length === 0 || time - times[times.length - 1] > least) times.push(time);
    }
    return times;
}

// Where the cloth goes in the runs that held the tolerance, so that a run that blew up does not push
// the others into the distance; where none has, in all runs.
function commonBounds(panels) {
    const steady = panels.filter((panel) => panel.entry.reached);
    const boxes = (steady.length > 0 ? steady : panels).map((panel) => runBounds(panel.run));
    return boxes.reduce((all, box) => all.union(box));
}

class Comparison {
    constructor(page) {
        this.page = page;
        this.panels = page.runs.map((entry, k) => new ComparePanel(entry, k, entry.block ? new Run(entry.block) : null));
        element('panels').append(...this.panels.map((panel) => panel.card));
        this.playing = this.panels.filter((panel) => panel.hasFrames);
        this.runs = this.playing.map((panel) => panel.run);
        this.player = new Player(mergeTimes(this.runs), () => this.show());
        this.timeline = new Timeline(this.player);
        for (const panel of this.playing) panel.tellLength(this.player.times.at(-1), this.lastFrame());
        this.tellThinning();
        drawStrains(this.runs, this.player.times, page.tolerance, this.playing.map((panel) => panel.colour));
        if (this.runs.length > 0) this.buildStage();
        else this.hideControls();
        window.addEventListener('resize', () => this.arrange());
        new ResizeObserver(() => this.arrange()).observe(element('panels'));
        this.arrange();
        this.player.seek(0);
    }

    lastFrame() {
        return Math.max(...this.runs.map((run) => run.info.cache_frames)) - 1;
    }

    buildStage() {
        const { page, playing, runs } = this;
        const heat = new HeatScale(runs, page.tolerance), bounds = commonBounds(playing);
        for (const panel of playing) panel.view = new RunView(panel.run, bounds, heat.texture);
        this.stage = new CompareStage(playing);
        this.stage.canvas.addEventListener('webglcontextlost',
            () => say('The browser has given the drawing up. Reload the page.'));
        const views = playing.map((panel) => panel.view), { box, floorHeight } = sceneFrame(views, bounds);
        this.stage.frameScene(box, floorHeight);
        this.controls = new ViewControls(this.stage, views, heat, () => this.show());
        connectKeys({ ...this.timeline.keys(), ...this.controls.keys() });
        this.controls.setTheme(preferredTheme());
    }

    // Nothing can be played: only the texts remain.
    hideControls() {
        for (const id of ['controls', 'timeline']) element(id).hidden = true;
        document.documentElement.dataset.theme = preferredTheme();
    }

    // Brings the time of the player into every panel.
    show() {
        this.timeline.show();
        if (!this.stage) return;
        const { time } = this.player;
        element('time-readout').textContent = `${time.toFixed(3)} s`;
        for (const panel of this.playing) panel.showAt(time, this.page.tolerance, this.controls.marked);
        const strains = this.playing.map((panel) => panel.strain);
        element('legend-max').textContent = `now at most ${percent(strains.every(isNumber) ? Math.max(...strains) : NaN)}`;
        this.stage.changed();
    }

    // Says what the page leaves out.
    tellThinning() {
        if (this.runs.length === 0) return;
        const longest = this.runs.reduce((most, run) => (run.info.cache_frames > most.info.cache_frames ? run : most));
        const shown = longest.frameCount, all = longest.info.cache_frames;
        if (shown >= all) return;
        element('notice').textContent =
            `To keep this page small it shows ${count(shown)} of ${count(all)} frames, the same of every run.`;
        element('notice').hidden = false;
    }

    // Shares the window out: as many columns as fit, no more than fill the rows evenly, and pictures low
    // enough for all rows to be seen at once where that leaves them a fair height.
    arrange() {
        const grid = element('panels'), n = this.panels.length;
        const most = Math.max(1, Math.min(n, Math.floor((grid.clientWidth + gap) / (leastWidth + gap))));
        const rows = Math.ceil(n / most), columns = Math.ceil(n / rows);
        grid.style.setProperty('--tracks', 2 * columns);
        // Put a last row that is not full in the middle; a panel covers two tracks.
        const first = (rows - 1) * columns;
        this.panels.forEach(({ card }, k) => (card.style.gridColumnStart = k === first ? 1 + rows * columns - n : 'auto'));

        const width = (grid.clientWidth - (columns - 1) * gap) / columns;
        const above = element('top').getBoundingClientRect().bottom + window.scrollY + gap;
        const room = window.innerHeight - above - timelineHeight, texts = this.panels[0].textHeight();
        const share = (room / rows - texts - gap) / width, least = rows > 1 ? 0.5 : 0.3;
        const height = Math.round(width * (share >= least ? Math.min(share, 0.75) : 0.66));
        grid.style.setProperty('--picture-height', `${height}px`);
        this.stage?.resize(Math.round(width) - 2, height);
    }

    // Draws when something has changed, for as long as the page is open.
    start() {
        if (!this.stage) return;
        this.stage.renderer.setAnimationLoop((now) => {
            this.player.tick(now);
            this.stage.tick();
        });
    }
}

open(() => {
    const page = readPage();
    fillReport(page);
    new Comparison(page).start();
});
