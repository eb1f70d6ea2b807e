// Puts the viewer together: the run from the page, the stage, playback, and every control.
import { HeatScale, percent } from './heat.js';
import { MapControls } from './map_controls.js';
import { connectKeys, element, open, preferredTheme, say } from './page.js';
import { drawPlot, fillLists, fillSummary } from './panel.js';
import { Player } from './player.js';
import { Run } from './run.js';
import { RunView, runBounds, sceneFrame } from './run_view.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';
import { ViewControls } from './view_controls.js';

class Viewer {
    constructor(run) {
        this.run = run;
        this.drawn = 0;
        const canvas = element('canvas');
        this.stage = new Stage(canvas, () => (canvas.dataset.drawn = ++this.drawn));
        canvas.addEventListener('webglcontextlost', () => say('The browser has given the drawing up. Reload the page.'));
        this.player = new Player(run.times, () => this.show());
        const heat = new HeatScale([run], run.info.tolerance);
        this.buildScene(heat);
        fillSummary(run);
        const { cloths, obstacles } = this.view;
        fillLists(run, (k, on) => this.setVisible(cloths[k], on), (k, on) => this.setVisible(obstacles[k], on));
        drawPlot(run);
        this.timeline = new Timeline(this.player);
        this.controls = new ViewControls(this.stage, [this.view], heat, () => this.show());
        this.mapControls = new MapControls(this.view, () => this.show());
        this.connectPanel();
        connectKeys({ ...this.timeline.keys(), ...this.controls.keys(), ...this.mapControls.keys(), p: () => this.togglePanel() });
        this.controls.setTheme(preferredTheme());
        if (window.innerWidth <= 720) document.body.classList.add('no-panel');
        this.makeRoom();
        new ResizeObserver(() => this.makeRoom()).observe(element('stage'));
        this.player.seek(0);
    }

    buildScene(heat) {
        const bounds = runBounds(this.run);
        this.view = new RunView(this.run, bounds, heat.texture);
        this.stage.scene.add(this.view.group);
        const { box, floorHeight } = sceneFrame([this.view], bounds);
        this.stage.frameScene(box, floorHeight);
    }

    setVisible(view, on) {
        view.group.visible = on;
        this.show();
    }

    // Brings the frame of the player on the stage and into the texts.
    show() {
        const { run, player } = this;
        if (run.frameCount > 0) {
            this.mapControls.show(player.time);
            this.view.show(player.frame, player.share, this.controls.marked);
            this.showTexts(run.info.frames[player.frame]);
        }
        this.timeline.show();
        this.stage.changed();
    }

    showTexts(frame) {
        const last = Math.max(this.run.info.cache_frames - 1, 0);
        element('frame-readout').textContent = `frame ${frame.frame} / ${last}`;
        element('time-readout').textContent = `${this.player.time.toFixed(3)} s`;
        element('strain-readout').textContent = `largest strain ${percent(frame.max_strain)}`;
        element('legend-max').textContent = `now at most ${percent(frame.max_strain)}`;
    }

    connectPanel() {
        element('show-shadow').addEventListener('change', (event) => this.stage.setShadows(event.target.checked));
        element('save-picture').addEventListener('click', () => this.savePicture());
        element('panel-button').addEventListener('click', () => this.togglePanel());
    }

    togglePanel() {
        document.body.classList.toggle('no-panel');
        this.makeRoom();
    }

    // Fits the picture into the window, out from under the panel and the time line.
    makeRoom() {
        const panel = element('panel').getBoundingClientRect(), beside = panel.left > window.innerWidth / 2;
        const { clientWidth: width, clientHeight: height } = element('stage');
        this.stage.resize(width, height, panel.width > 0 && beside ? panel.width / 2 : 0, 30);
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

    // Draws when something has changed, for as long as the page is open.
    start() {
        this.stage.renderer.setAnimationLoop((now) => {
            this.player.tick(now);
            this.mapControls.tick(now);
            this.stage.tick();
        });
        if (this.run.frameCount === 0) say('The cache of this run holds no frame yet.');
    }
}

open(() => new Viewer(new Run()).start());
