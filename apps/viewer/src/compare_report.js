// The texts of the compare page: heading, table, notes, plots, and the strains above the slider.
import { runColour } from './compare_panel.js';
import { element, isNumber, make } from './page.js';

// Decades of strain above the slider, below and above the tolerance.
const decadesBelow = 1.5, decadesAbove = 2;

// A number with or without a unit, or the dash that stands for none.
const isFigure = (text) => /^\s*[<>≤≥~≈]?\s*[+−-]?[\d.]/.test(text) || /^\s*[–—-]?\s*$/.test(text);

function fillTable(page) {
    const [head, ...rows] = page.table;
    if (!head) return;
    const figures = head.map((_, c) => c > 0 && rows.every((row) => isFigure(row[c] ?? '')));
    const addRow = (cells, tag, part) => {
        const line = make('tr');
        cells.forEach((text, c) => {
            const cell = make(tag === 'td' && c === 0 ? 'th' : tag, text, figures[c] ? 'figure' : undefined);
            if (cell.tagName === 'TH') cell.scope = tag === 'th' ? 'col' : 'row';
            line.append(cell);
        });
        part.append(line);
        return line;
    };
    const top = make('thead'), body = make('tbody');
    addRow(head, 'th', top);
    for (const row of rows) {
        const line = addRow(row, 'td', body), index = page.runs.findIndex((run) => run.name === row[0]);
        if (index < 0) continue;
        const swatch = make('i', undefined, 'swatch');
        swatch.style.background = runColour(index);
        line.firstChild.prepend(swatch);
        if (page.runs[index].reached) continue;
        line.className = 'missed';
        line.firstChild.append(make('i', '!', 'missed-mark'));
        line.firstChild.title = page.runs[index].verdict;
        element('table-key').hidden = false;
    }
    element('table').append(top, body);
    element('table-section').hidden = false;
}

// Each plot in a tree of its own, so that its ids and styles do not meet those of others.
function fillPlots(plots) {
    for (const svg of plots) {
        const figure = make('figure', undefined, 'card'), plot = make('div');
        plot.attachShadow({ mode: 'open' }).innerHTML =
            `<style>svg { display: block; width: 100%; height: auto; }</style>${svg}`;
        figure.append(plot);
        element('plots').append(figure);
    }
    element('plot-section').hidden = plots.length === 0;
}

export function fillReport(page) {
    document.title = page.title ? `${page.title} · taut` : 'taut';
    element('title').textContent = page.title || 'taut';
    element('subtitle').textContent = page.subtitle;
    element('subtitle').hidden = !page.subtitle;
    element('made-by').textContent = `taut ${page.taut_version}`;
    fillTable(page);
    element('notes').append(...page.notes.map((note) => make('li', note)));
    element('notes-section').hidden = page.notes.length === 0;
    fillPlots(page.plots);
}

// Largest strain of every run over time, logarithmic, with the tolerance as a dashed line.
export function drawStrains(runs, times, tolerance, colours) {
    const svg = element('strain-plot'), n = times.length;
    const largest = Math.max(...runs.map((run) => run.largestStrain()), 0);
    const middle = tolerance > 0 ? tolerance : Math.max(largest, 1e-12) / 10 ** decadesAbove;
    const top = Math.min(Math.max(Math.log10(largest / middle) * 1.1, 0.3), decadesAbove);
    const height = (strain) => {
        if (!isNumber(strain)) return 0;
        const decades = strain > 0 ? Math.log10(strain / middle) : -decadesBelow;
        return 1 - (Math.min(Math.max(decades, -decadesBelow), top) + decadesBelow) / (top + decadesBelow);
    };
    const add = (d, className, colour) => {
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        path.setAttribute('d', d);
        path.setAttribute('class', className);
        if (colour) path.style.stroke = colour;
        svg.append(path);
    };
    svg.setAttribute('viewBox', `0 0 ${Math.max(n - 1, 1)} 1`);
    if (tolerance > 0) add(`M0,${height(tolerance)} L${Math.max(n - 1, 1)},${height(tolerance)}`, 'limit');
    runs.forEach((run, r) => {
        const end = run.times.at(-1) + 1e-9;
        const points = times.map((time, k) => [k, time]).filter(([, time]) => time <= end)
            .map(([k, time]) => `${k},${height(run.info.frames[run.at(time).frame].max_strain).toFixed(4)}`);
        if (points.length > 1) add(`M${points.join(' L')}`, 'curve', colours[r]);
    });
}
