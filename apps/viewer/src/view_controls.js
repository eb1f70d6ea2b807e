// How runs are shown: surface, strain colours, grid and theme, the same for all runs of a page.
import { connectLegend } from './legend.js';
import { element } from './page.js';
import { themes } from './stage.js';

const modes = ['solid', 'mesh', 'wire'];

export class ViewControls {
    // views: the runs on the stage; onChange(): what is shown has to be brought anew.
    constructor(stage, views, heat, onChange) {
        Object.assign(this, { stage, views, heat, onChange });
        this.mode = 'solid';
        this.heated = false;
        for (const button of document.querySelectorAll('input[name=surface]')) {
            button.addEventListener('change', () => this.setMode(button.value));
        }
        element('show-strain').addEventListener('change', (event) => this.setHeat(event.target.checked));
        element('show-grid').addEventListener('change', (event) => this.setGrid(event.target.checked));
        element('reset-view').addEventListener('click', () => stage.resetView());
        element('theme-button').addEventListener('click', () => this.toggleTheme());
        connectLegend(heat, onChange);
        const spacing = this.floors[0]?.uniforms.spacing.value;
        const [fine, strong] = [1, 10].map((lines) => Number((lines * spacing).toPrecision(1)));
        element('show-grid').parentElement.title = `Lines every ${fine} m, strong every ${strong} m; z is up`;
    }

    get floors() {
        return [this.stage.floor, ...this.views.flatMap((view) => view.floors)].filter((floor) => floor);
    }

    // Whether the vertex of largest strain is marked.
    get marked() {
        return this.heated && element('legend-mark').checked;
    }

    setMode(mode) {
        this.mode = mode;
        document.querySelector(`input[name=surface][value=${mode}]`).checked = true;
        this.applyMode();
    }

    setHeat(on) {
        this.heated = on;
        element('show-strain').checked = on;
        element('legend').hidden = !on;
        this.applyMode();
    }

    applyMode() {
        for (const view of this.views) view.setMode(this.mode, this.heated);
        this.onChange();
    }

    setGrid(on) {
        element('show-grid').checked = on;
        for (const floor of this.floors) floor.uniforms.grid.value = on ? 1 : 0;
        this.stage.invalidate();
    }

    setTheme(name) {
        this.themeName = name;
        document.documentElement.dataset.theme = name;
        this.stage.setTheme(themes[name]);
        for (const view of this.views) view.setTheme(name, themes[name]);
    }

    toggleTheme() {
        this.setTheme(this.themeName === 'dark' ? 'light' : 'dark');
    }

    keys() {
        return {
            w: () => this.setMode(modes[(modes.indexOf(this.mode) + 1) % modes.length]),
            s: () => this.setHeat(!this.heated),
            g: () => this.setGrid(!element('show-grid').checked),
            r: () => this.stage.resetView(),
            d: () => this.toggleTheme(),
        };
    }
}
