// The texts of the viewer's panel: summary of the run, lists of cloths and obstacles; and the plot.
// Every text of the run goes in as text, never as markup.
import { tintOf } from './cloth.js';
import { percent } from './heat.js';
import { count, element, isNumber, make } from './page.js';

function seconds(value) {
    if (value >= 90) return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
    return `${Number(value.toPrecision(3))} s`;
}

// Rows of the summary: what the report holds, else what the cache tells.
function summaryRows(run) {
    const { info } = run, report = info.report ?? {};
    const rows = [];
    const add = (name, value, text) => {
        if (isNumber(value)) rows.push([name, text(value)]);
    };
    add('Largest strain', report.max_strain ?? run.largestStrain(), percent);
    add('Tolerance', info.tolerance > 0 ? info.tolerance : report.tolerance, percent);
    add('Vertices', info.vertices, count);
    add('Constraints', report.constraints, count);
    add('Frames', info.cache_frames, count);
    add('Steps', report.steps, (steps) => {
        const retried = report.retries > 0 ? `, ${count(report.retries)} retried` : '';
        const failed = report.failed_steps > 0 ? `, ${count(report.failed_steps)} failed` : '';
        return count(steps) + retried + failed;
    });
    add('Newton iterations', report.projection_iterations?.mean, (mean) => `${mean.toFixed(2)} per step`);
    add('Linear iterations', report.linear_iterations?.mean, (mean) => `${mean.toFixed(1)} per solve`);
    add('Penetration', report.penetration_m, (depth) => `${Number((1000 * depth).toPrecision(3))} mm`);
    add('Run time', report.wall_s, seconds);
    add('Set-up time', report.setup_s, seconds);
    add('Threads', report.threads, count);
    return rows;
}

export function fillSummary(run) {
    const { info } = run, report = info.report ?? {};
    document.title = info.scene ? `${info.scene} · taut` : 'taut';
    element('scene-name').textContent = info.scene || 'taut';
    element('made-by').textContent = `taut ${info.taut_version}`;
    for (const [name, text] of summaryRows(run)) {
        element('summary').append(make('dt', name), make('dd', text));
    }

    // Say in one line whether the run kept its promise.
    const badge = element('badge');
    if (report.certified === true) {
        badge.className = 'badge good';
        badge.textContent = `Certified: no step above ${percent(report.tolerance ?? info.tolerance)} strain`;
    } else if (report.certified === false) {
        badge.className = 'badge bad';
        const promised = report.tolerance ?? info.tolerance;
        badge.textContent = promised > 0 && isNumber(report.max_strain)
            ? `Not certified: ${percent(report.max_strain)} strain where ${percent(promised)} was asked`
            : 'Not certified';
    } else {
        badge.textContent = 'No report beside this run';
    }

    // Say what the page leaves out.
    const shown = run.frameCount, all = info.cache_frames;
    if (shown < all) {
        const stride = shown > 1 ? info.frames[1].frame - info.frames[0].frame : all;
        element('notice').textContent =
            `To keep this page small it shows ${count(shown)} of ${count(all)} frames, one in ${stride}.`;
        element('notice').hidden = false;
    }
    element('settings-section').hidden = !info.settings;
    element('settings').textContent = info.settings;
}

// A line with a check box; onToggle(visible).
function listRow(name, detail, tint, onToggle) {
    const row = make('li'), label = make('label', undefined, 'row'), box = make('input');
    box.type = 'checkbox';
    box.checked = true;
    box.addEventListener('change', () => onToggle(box.checked));
    label.append(box);
    if (tint) {
        const swatch = make('i', undefined, 'swatch');
        swatch.style.background = `linear-gradient(135deg, ${tint[0]} 50%, ${tint[1]} 50%)`;
        label.append(swatch);
    }
    label.append(make('span', name, 'name'), make('span', detail, 'detail'));
    row.append(label);
    return row;
}

export function fillLists(run, onCloth, onObstacle) {
    run.info.cloths.forEach((cloth, k) => {
        const detail = `${count(cloth.vertices)} vertices`;
        element('cloth-list').append(
            listRow(cloth.name || `cloth ${k + 1}`, detail, tintOf(k), (on) => onCloth(k, on)));
    });
    run.info.obstacles.forEach((obstacle, k) => {
        element('obstacle-list').append(
            listRow(obstacle.name || `obstacle ${k + 1}`, obstacle.shape, null, (on) => onObstacle(k, on)));
    });
    element('obstacle-section').hidden = run.info.obstacles.length === 0;
}

// Largest strain of every frame over time, with the tolerance as a dashed line.
export function drawPlot(run) {
    const svg = element('strain-plot'), frames = run.info.frames, n = frames.length;
    const tolerance = run.info.tolerance, top = 1.15 * Math.max(run.largestStrain(), tolerance, 1e-12);
    svg.setAttribute('viewBox', `0 0 ${Math.max(n - 1, 1)} 1`);
    const height = (strain) => (isNumber(strain) ? 1 - strain / top : 0);
    const points = frames.map((frame, k) => `${k},${height(frame.max_strain).toFixed(4)}`).join(' L');
    const add = (d, className) => {
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        path.setAttribute('d', d);
        path.setAttribute('class', className);
        svg.append(path);
    };
    if (n > 1) {
        add(`M0,1 L${points} L${n - 1},1 Z`, 'area');
        add(`M${points}`, 'curve');
    }
    if (tolerance > 0) add(`M0,${height(tolerance)} L${Math.max(n - 1, 1)},${height(tolerance)}`, 'limit');
}
