// Uses the viewer of one run, opened from disk in headless Chromium, as a person would. See browser.mjs.
import assert from 'node:assert/strict';
import { passed, runTests } from './browser.mjs';
import { distinctColours } from './png.mjs';

const view = { width: 800, height: 560 };
// Parts of the window that show the scene alone: no panel, title or time line; the upper one no legend.
const sceneClip = { x: 30, y: 90, width: 480, height: 370 };
const upperClip = { x: 30, y: 90, width: 480, height: 220 };

async function testLoading(window) {
    await window.open('sample.html');
    window.quiet();
    const picture = await window.shoot();
    assert.ok(distinctColours(picture) > 200, `a drawn scene has many colours, this has ${distinctColours(picture)}`);
    assert.equal(await window.text('scene-name'), 'sample <swing> & sway');
    assert.equal(await window.frame(), 0);
    assert.match(await window.text('badge'), /Certified.*0\.1\s%/);
    const summary = await window.text('summary');
    for (const word of ['Largest strain', '0.097', 'Vertices', '8,446', 'Steps', '122', 'Run time', '3.21']) {
        assert.ok(summary.includes(word), `the summary lacks "${word}": ${summary}`);
    }
    assert.equal(await window.page.isVisible('#map-section'), false, 'a run without correction maps offers none');
    await window.save('loaded.png');
    passed('loads from disk, draws, tells the summary');
    return picture;
}

async function testPlayback(window) {
    const { page } = window, before = await window.shoot();
    await page.click('#play');
    const first = await window.until(async () => (await window.frame()) || null, 'playing does not leave the first frame');
    await window.until(async () => (await window.frame()) !== first, 'playing stops moving on');
    await window.changedFrom(before, 0.02, 'play');
    await page.keyboard.press('Space');
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play', 'space pauses');
    const paused = await window.frame();
    await window.shoot();
    assert.equal(await window.frame(), paused, 'a paused run stays where it is');
    passed('plays and pauses');

    await page.locator('#scrub').fill('30');
    assert.equal(await window.frame(), 30);
    assert.match(await window.text('time-readout'), /^1\.000 s$/);
    const half = await window.changedFrom(before, 0.02, 'scrub');
    await page.keyboard.press('ArrowRight');
    assert.equal(await window.frame(), 31);
    await page.keyboard.press('Shift+ArrowLeft');
    assert.equal(await window.frame(), 21);
    await page.keyboard.press('Home');
    assert.equal(await window.frame(), 0);
    await window.sameAs(before, 'back at the first frame');
    passed('scrubs and steps');

    await page.selectOption('#speed', '4');
    await page.click('#loop');
    await page.locator('#scrub').fill('50');
    await page.click('#play');
    await window.until(async () => (await window.frame()) === 60 && (await page.getAttribute('#play', 'aria-label')) === 'Play',
        'without loop the run ends at its last frame');
    await page.locator('#scrub').fill('30');
    await window.sameAs(half, 'the same frame again');
    passed('ends without loop, at four times the speed');
}

async function testHeatMap(window) {
    const { page } = window;
    window.clip = upperClip;
    await page.locator('#scrub').fill('12');
    const plain = await window.shoot();
    assert.equal(await page.isVisible('#legend'), false);
    await page.keyboard.press('s');
    assert.equal(await page.isVisible('#legend'), true, 'the legend comes with the heat map');
    const heated = await window.changedFrom(plain, 0.05, 'heat map');
    const ticks = await page.locator('#legend-ticks span').allTextContents();
    assert.deepEqual(ticks.map((text) => text.replace(/\s/g, ' ')), ['0 %', '0.025 %', '0.05 %', '0.075 %', '0.1 %']);
    await window.save('heat.png');
    await page.selectOption('#legend-scale', '0.0001');
    await window.changedFrom(heated, 0.02, 'scale of 0.01 %');
    assert.match((await page.locator('#legend-ticks span').allTextContents()).join(), /0\.01\s%$/);
    await page.selectOption('#legend-scale', 'auto');
    await window.sameAs(heated, 'scale of the tolerance again');
    await page.check('#legend-log');
    await window.changedFrom(heated, 0.02, 'logarithmic scale');
    await page.uncheck('#legend-log');
    await page.uncheck('#show-strain');
    assert.equal(await page.isVisible('#legend'), false);
    await window.sameAs(plain, 'heat map off');
    window.clip = sceneClip;
    passed('heat map, legend and scales');
}

async function testWireframe(window) {
    const { page } = window, solid = await window.shoot();
    await page.keyboard.press('w');
    const mesh = await window.changedFrom(solid, 0.03, 'mesh');
    assert.equal(await page.isChecked('input[name=surface][value=mesh]'), true);
    await window.save('mesh.png');
    await page.click('.segments label:nth-child(3)');
    await window.changedFrom(mesh, 0.03, 'wire');
    await window.save('wire.png');
    await page.keyboard.press('w');
    await window.sameAs(solid, 'solid again');
    passed('mesh and wire');
}

async function testLists(window) {
    const { page } = window, all = await window.shoot();
    const names = (list) => page.locator(`#${list} .name`).allTextContents();
    assert.deepEqual(await names('cloth-list'), ['sheet', 'curtain', 'chain']);
    assert.deepEqual(await names('obstacle-list'), ['ground', 'ball', '</script><b>block</b>', 'rod', 'gem', 'stone', 'blob']);
    assert.equal(await page.locator('#obstacle-list b').count(), 0, 'names are texts, not markup');
    for (const [list, least] of [['cloth-list', [0.03, 0.01, 0.0005]], ['obstacle-list', [0.05, 0.005, 0.005, 0.001, 0.003, 0.002, 0.003]]]) {
        for (let k = 0; k < least.length; ++k) {
            const box = page.locator(`#${list} li:nth-child(${k + 1}) input`);
            await box.uncheck();
            await window.changedFrom(all, least[k], `hiding number ${k + 1} of ${list}`);
            await box.check();
        }
    }
    await window.sameAs(all, 'everything visible again');
    passed('cloths and obstacles come and go');
}

async function testCamera(window) {
    const { page } = window, before = await window.shoot();
    await page.mouse.move(250, 260);
    await page.mouse.down();
    await page.mouse.move(370, 220, { steps: 3 });
    await page.mouse.up();
    const turned = await window.changedFrom(before, 0.1, 'orbit');
    await page.mouse.wheel(0, -400);
    await window.changedFrom(turned, 0.1, 'zoom');
    await window.save('orbit.png');
    await page.keyboard.press('r');
    await window.sameAs(before, 'reset view');
    await page.keyboard.press('d');
    await window.changedFrom(before, 0.3, 'dark');
    await window.save('dark.png');
    await page.setViewportSize({ width: 1100, height: 500 });
    await window.until(() => page.evaluate(() => document.getElementById('canvas').width === 1100), 'the canvas follows the window');
    await page.setViewportSize(view);
    await window.until(() => page.evaluate(() => document.getElementById('canvas').width === 800), 'the canvas follows the window');
    window.quiet();
    passed('orbit, zoom, reset, dark, resize');
}

async function testMaps(window) {
    await window.open('maps.html');
    const { page } = window, plain = await window.shoot();
    assert.equal(await page.isVisible('#map-section'), true, 'a run with maps offers them');
    assert.equal(await page.isVisible('#map-details'), false);
    await page.keyboard.press('m');
    const whole = await window.changedFrom(plain, 0.03, 'correction map');
    assert.equal(await page.isChecked('#show-map'), true);
    assert.equal(await window.text('map-name'), 'two <i>corners</i>');
    assert.equal(await window.text('map-count'), '1,720 corrections');
    assert.match(await window.text('map-readout'), /last/);
    await window.save('map.png');
    passed('a correction map comes with its name and number');

    await page.locator('#map-upto').fill('3');
    const few = await window.changedFrom(whole, 0.02, 'the first three corrections alone');
    assert.match(await window.text('map-readout'), /up to 3: 1 → 2, horizontal/);
    await page.keyboard.press('.');
    assert.match(await window.text('map-readout'), /up to 4: 39 → 38, horizontal/);
    await page.keyboard.press(',');
    await window.sameAs(few, 'one more and one less');
    await page.locator('#map-upto').fill('0');
    assert.match(await window.text('map-readout'), /before the first/);
    await page.click('#map-grow');
    await window.until(async () => /last/.test(await window.text('map-readout')), 'the order grows to its end');
    await window.sameAs(whole, 'all corrections again');
    passed('the order grows correction by correction');

    // The map follows the cloth and the time.
    await page.locator('#scrub').fill('29');
    await window.changedFrom(whole, 0.03, 'the map on the moving cloth');
    assert.equal(await window.text('map-name'), 'two <i>corners</i>');
    await page.locator('#scrub').fill('30');
    assert.equal(await window.text('map-name'), 'edge');
    assert.equal(await window.text('map-count'), '40 corrections');
    await window.save('map_edge.png');
    await page.locator('#scrub').fill('50');
    assert.match(await window.text('map-name'), /none/);
    assert.equal(await page.isDisabled('#map-upto'), true);
    await page.keyboard.press('Home');
    await window.sameAs(whole, 'the first map again');
    await page.uncheck('#show-map');
    await window.sameAs(plain, 'without the map');
    window.quiet();
    passed('the map in use follows the time');
}

async function testThinned(window) {
    await window.open('thin.html');
    assert.match(await window.text('notice'), /shows 16 of 61 frames, one in 4/);
    assert.match(await window.text('badge'), /No report/);
    await window.page.keyboard.press('ArrowRight');
    assert.equal(await window.frame(), 4);
    await window.page.keyboard.press('End');
    assert.equal(await window.frame(), 60);
    assert.ok(distinctColours(await window.shoot()) > 200);
    window.quiet();
    passed('a thinned run says so');
}

async function testEmpty(window) {
    await window.open('empty.html');
    assert.match(await window.text('message'), /no frame/);
    assert.equal(await window.page.isDisabled('#play'), true);
    window.quiet();
    passed('a run without frames says so');
}

await runTests(view, async (openWindow) => {
    const window = await openWindow(sceneClip);
    await testLoading(window);
    for (const test of [testPlayback, testHeatMap, testWireframe, testLists, testCamera]) await test(window);
    window.quiet();
    for (const test of [testMaps, testThinned, testEmpty]) await test(await openWindow(sceneClip));
});
