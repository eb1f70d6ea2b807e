// The strain legend: colour bar, numbers, the mark of the tolerance, and the choice of the scale.
import { overColour, percent } from './heat.js';
import { element, make } from './page.js';

function draw(heat) {
    element('legend-ramp').style.background = heat.gradient();
    element('legend-over').style.background = overColour;
    const ticks = element('legend-ticks');
    ticks.replaceChildren();
    for (const { share, text } of heat.ticks()) {
        const tick = make('span', text);
        tick.style.left = `${100 * share}%`;
        ticks.append(tick);
    }
    const { tolerance } = heat, place = heat.share(tolerance);
    element('legend-ramp').replaceChildren();
    if (tolerance > 0 && place > 0 && place < 0.999) {
        const mark = make('b');
        mark.style.left = `${100 * place}%`;
        mark.title = `Tolerance ${percent(tolerance)}`;
        element('legend-ramp').append(mark);
    }
}

// onChange(): the scale is another.
export function connectLegend(heat, onChange) {
    for (const [value, name] of Object.entries(heat.names)) element('legend-scale').append(new Option(name, value));
    const change = () => {
        heat.choice = element('legend-scale').value;
        heat.log = element('legend-log').checked;
        heat.rebuild();
        draw(heat);
        onChange();
    };
    for (const id of ['legend-scale', 'legend-log', 'legend-mark']) element(id).addEventListener('change', change);
    draw(heat);
}
