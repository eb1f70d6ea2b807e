// Uses the compare page, opened from disk in headless Chromium, as a person would. See browser.mjs.
import assert from 'node:assert/strict';
import { passed, runTests } from './browser.mjs';
import { crop, difference, distinctColours } from './png.mjs';

// High enough for five panels to be seen at once, above the time line.
const view = { width: 1000, height: 880 };
const wholeWindow = { x: 0, y: 0, ...view };
const methods = ['fast_projection', 'implicit_constraint_direction', 'shake', 'strain_limiting', 'springs <stiff> & </script>'];
const lines = (texts) => texts.map((text) => text.replace(/\s/g, ' '));

// The texts of one kind in all panels.
const texts = async (window, selector) => lines(await window.page.locator(`.panel ${selector}`).allTextContents());

async function frames(window) {
    return (await texts(window, '.frame')).map((text) => Number(/frame (\d+) \/ 60/.exec(text)[1]));
}

// The pictures of all panels, without their rims and without the place of the note below.
async function pictures(window) {
    const all = await window.shoot();
    const boxes = await window.page.locator('.picture').evaluateAll((list) =>
        list.map((node) => node.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })));
    return boxes.map(({ x, y, width, height }) => crop(all, { x: x + 4, y: y + 4, width: width - 8, height: height - 50 }));
}

// Waits until every panel has changed in at least `share` of its pixels, and returns the new pictures.
async function allChanged(window, before, share, what) {
    let now;
    const done = async () => {
        now = await pictures(window);
        return now.every((picture, k) => difference(before[k], picture) >= share);
    };
    await window.until(done, `${what}: a panel has changed in less than ${100 * share} % of its pixels`);
    return now;
}

async function allSame(window, before, what) {
    const done = async () => (await pictures(window)).every((picture, k) => difference(before[k], picture) < 0.002);
    await window.until(done, `${what}: a panel is not as it was`);
}

async function testLoading(window) {
    await window.open('compare.html');
    window.quiet();
    assert.equal(await window.text('title'), 'sample <swing> & sway: five methods');
    assert.deepEqual(await texts(window, 'h3 .name'), methods);
    const verdicts = await texts(window, '.badge');
    assert.equal(verdicts[0], 'certified 0.1 %');
    assert.match(verdicts[4], /^failed at t = 0\.8 s/);
    assert.equal(await window.page.locator('.badge.good').count(), 3);
    assert.equal(await window.page.locator('.panel.missed .badge.bad').count(), 2);
    assert.equal(await window.page.locator('.panel stiff').count(), 0, 'names are texts, not markup');
    assert.deepEqual(await frames(window), [0, 0, 0, 0, 0]);
    for (const [k, picture] of (await pictures(window)).entries()) {
        assert.ok(distinctColours(picture) > 200, `panel ${k} has ${distinctColours(picture)} colours`);
    }
    assert.equal(await window.page.evaluate(() => document.querySelector('meta[http-equiv]').content),
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:");
    await window.save('compare.png');
    passed('loads from disk, draws every panel, tells the verdicts');
}

async function testTime(window) {
    const { page } = window, before = await pictures(window);
    await page.locator('#scrub').fill('20');
    assert.deepEqual(await frames(window), [20, 20, 20, 20, 20]);
    assert.equal(await window.text('time-readout'), '0.667 s');
    const later = await allChanged(window, before, 0.02, 'scrub');
    assert.ok(difference(later[0], later[4]) > 0.01, 'the runs differ');
    assert.equal(await page.locator('.ended:visible').count(), 0);

    // A run that has ended holds its last frame, and says so.
    await page.keyboard.press('Shift+ArrowRight');
    assert.deepEqual(await frames(window), [30, 30, 30, 30, 24]);
    assert.match((await page.locator('.ended:visible').allTextContents()).join(), /^Ended at 0\.800 s/);
    assert.deepEqual(await page.locator('.strain.above').count(), 2, 'strains above the tolerance stand out');
    await page.keyboard.press('Home');
    await allSame(window, before, 'back at the first frame');
    passed('scrubs all panels; a run that ended early says so');

    await page.click('#play');
    await window.until(async () => (await frames(window)).every((frame) => frame > 0), 'playing moves every panel');
    await page.keyboard.press('Space');
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
    const paused = await frames(window);
    assert.ok(Math.max(...paused.slice(0, 4)) === Math.min(...paused.slice(0, 4)), `in step: ${paused}`);
    passed('plays and pauses in step');
}

async function testCamera(window) {
    const { page } = window;
    await page.locator('#scrub').fill('10');
    const before = await pictures(window);
    const box = await page.locator('.picture').nth(3).boundingBox();
    await page.mouse.move(box.x + 150, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 230, box.y + 80, { steps: 3 });
    await page.mouse.up();
    const turned = await allChanged(window, before, 0.1, 'orbit in one panel');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    await allChanged(window, turned, 0.1, 'zoom');
    await page.keyboard.press('r');
    await allSame(window, before, 'reset view');

    // Without Ctrl the wheel scrolls the page.
    await page.mouse.wheel(0, 300);
    await window.until(() => page.evaluate(() => window.scrollY > 0), 'the wheel scrolls');
    await page.evaluate(() => window.scrollTo(0, 0));
    passed('one camera for all panels');
}

async function testView(window) {
    const { page } = window, before = await pictures(window);
    await page.click('.toggle:has(#show-strain)');
    assert.equal(await page.isVisible('#legend'), true);
    const ticks = lines(await page.locator('#legend-ticks span').allTextContents());
    assert.deepEqual(ticks, ['0 %', '0.025 %', '0.05 %', '0.075 %', '0.1 %'], 'one scale for all runs');
    // Let the panels stay where they were, so that pictures can be held against each other.
    await page.evaluate(() => (document.getElementById('legend').style.position = 'absolute'));
    const heated = await allChanged(window, before, 0.03, 'heat map');
    await page.selectOption('#legend-scale', 'largest');
    await allChanged(window, heated, 0.01, 'scale of the largest strain');
    await page.keyboard.press('s');
    assert.equal(await page.isVisible('#legend'), false);
    await page.click('.segments label:nth-child(3)');
    await allChanged(window, before, 0.02, 'wire');
    await page.click('#theme-button');
    await allChanged(window, before, 0.5, 'dark');
    await window.save('compare_dark.png');
    passed('heat map, surface and theme are those of all panels');
}

async function testReport(window) {
    const { page } = window;
    assert.equal(await page.locator('#table thead th').count(), 8);
    assert.deepEqual(await page.locator('#table tbody tr').evaluateAll((rows) => rows.map((row) => row.className)),
        ['', '', '', 'missed', 'missed']);
    assert.equal(await page.isVisible('#table-key'), true);
    const align = (cell) => page.locator(`#table tbody tr:nth-child(5) > :nth-child(${cell})`)
        .evaluate((node) => getComputedStyle(node).textAlign);
    assert.equal(await align(2), 'left');
    assert.equal(await align(4), 'right');
    assert.equal(await align(6), 'right', 'a dash among numbers');
    assert.equal(await page.locator('#notes li').count(), 2);
    const plots = await page.locator('#plots svg').evaluateAll((list) => list.map((svg) => svg.clientWidth));
    assert.equal(plots.length, 3);
    assert.ok(plots.every((width) => width > 250), `plots fill their place: ${plots}`);
    const fill = await page.locator('#plots rect[rx]').first().evaluate((bar) => getComputedStyle(bar).fill);
    assert.equal(fill, 'rgb(47, 148, 208)', 'plots take the colours of the runs and the theme');
    passed('table, notes and plots');
}

async function testPhone(window) {
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 844 });
    await window.until(() => page.evaluate(() => document.querySelector('.panel').offsetWidth === 358), 'one column');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sticks out');
    await page.locator('.picture').nth(4).scrollIntoViewIfNeeded();
    const wide = await page.locator('.picture canvas').nth(0).evaluate((canvas) => canvas.width);
    await window.until(() => page.locator('.picture canvas').nth(4).evaluate((canvas, w) => canvas.width === w, wide),
        'a panel is drawn when it comes into sight');
    await window.shoot();
    await window.save('compare_phone.png');
    window.quiet();
    passed('fits a phone');
}

async function testUneven(window) {
    await window.open('uneven.html');
    const { page } = window;
    assert.match(await window.text('notice'), /shows \d+ of 61 frames/);
    assert.equal(await window.text('title'), 'taut');
    assert.match(await page.locator('.panel').nth(2).textContent(), /failed before its first frame.*no frame to show/);
    for (const id of ['table-section', 'plot-section', 'notes-section']) assert.equal(await page.isVisible(`#${id}`), false);

    // Runs meet at times, not at frame numbers: the second has half the frames a second.
    const now = async () => (await texts(window, '.frame')).map((text) => Number(/frame (\d+)/.exec(text)?.[1]));
    await page.keyboard.press('ArrowRight');
    const [stride, start] = await now();
    assert.ok(stride > 0 && start === 0);
    await page.keyboard.press('ArrowRight');
    assert.deepEqual((await now()).slice(0, 2), [2 * stride, stride]);

    // A run that blew up ends before its first frame without numbers.
    await page.keyboard.press('End');
    const [last, end] = await now();
    assert.equal(last, 60);
    assert.ok(end > 10 && end <= 15, `the second run ends at frame ${end}`);
    assert.equal(await page.locator('.ended:visible').count(), 1);
    await page.keyboard.press('s');
    assert.ok(distinctColours((await pictures(window))[0]) > 200);
    window.quiet();
    passed('runs that do not go together well');
}

await runTests(view, async (openWindow) => {
    const window = await openWindow(wholeWindow);
    for (const test of [testLoading, testTime, testCamera, testView, testReport, testPhone]) await test(window);
    await testUneven(await openWindow(wholeWindow));
});
