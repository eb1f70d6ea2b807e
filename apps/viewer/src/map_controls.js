// The part of the panel that shows correction maps: which one is in use at the time, how many corrections
// it has, and how far of them to draw.
import { orderGradient } from './correction_map.js';
import { count, element } from './page.js';

const kinds = ['horizontal', 'vertical', 'shear'];
// Watching the order grow takes so long [s].
const growTime = 6;

export class MapControls {
    // onChange(): what is shown has to be brought anew.
    constructor(view, onChange) {
        Object.assign(this, { view, onChange, growing: false, upTo: Infinity, last: null });
        element('map-section').hidden = !view.map;
        if (!view.map) return;
        element('map-ramp').style.background = orderGradient;
        element('show-map').addEventListener('change', (event) => this.setShown(event.target.checked));
        element('map-upto').addEventListener('input', (event) => {
            this.growing = false;
            this.setUpTo(Number(event.target.value));
        });
        element('map-grow').addEventListener('click', () => this.toggleGrowing());
    }

    setShown(on) {
        element('show-map').checked = on;
        element('map-details').hidden = !on;
        this.view.showMap(on);
        this.onChange();
    }

    // All of a map stays all of the next one.
    setUpTo(n) {
        const { count: all } = this.view.map;
        this.upTo = n >= all ? Infinity : Math.max(n, 0);
        this.onChange();
    }

    step(by) {
        this.growing = false;
        this.setUpTo(Math.min(this.upTo, this.view.map.count) + by);
    }

    toggleGrowing() {
        this.growing = !this.growing;
        this.last = null;
        if (this.growing && this.upTo >= this.view.map.count) this.setUpTo(0);
        else this.onChange();
    }

    // Called once per screen refresh with the time of day [ms].
    tick(now) {
        if (!this.growing) return;
        const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
        this.last = now;
        const all = this.view.map.count;
        this.setUpTo(Math.min(this.upTo, all) + (passed * all) / growTime);
        if (this.upTo < all) return;
        this.growing = false;
        this.onChange();
    }

    // Brings the map in use at a time [s], and its texts.
    show(time) {
        const { run, map } = this.view;
        if (!map?.group.visible) return;
        const k = run.mapAt(time);
        map.choose(k);
        const all = map.count, drawn = Math.floor(Math.min(this.upTo, all));
        map.upTo = drawn;
        element('map-name').textContent = k < 0 ? 'none at this time' : run.info.correction_maps.maps[k].name;
        element('map-count').textContent = k < 0 ? '' : `${count(all)} corrections`;
        const slider = element('map-upto');
        slider.max = all;
        slider.value = drawn;
        slider.disabled = element('map-grow').disabled = all === 0;
        element('map-grow').textContent = this.growing ? '❚❚' : '▶';
        element('map-readout').textContent = this.readout(map.map, drawn, all);
    }

    readout(map, drawn, all) {
        if (all === 0) return '';
        if (drawn === all) return 'up to the last correction';
        if (drawn === 0) return 'before the first correction';
        const [from, to] = [2 * drawn - 2, 2 * drawn - 1].map((k) => map.ends[k]);
        return `up to ${count(drawn)}: ${from} → ${to}, ${kinds[map.kind[drawn - 1]]}`;
    }

    keys() {
        if (!this.view.map) return {};
        const step = (by) => () => this.view.map.group.visible && this.step(by);
        return {
            m: () => this.setShown(!element('show-map').checked),
            ',': step(-1), '.': step(1), '<': step(-10), '>': step(10), ';': step(-10), ':': step(10),
        };
    }
}
