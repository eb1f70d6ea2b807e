// A headless Chromium that opens the sample pages from disk, drawn in software, and a window on one page.
// Nothing waits for a time: every step waits for what it expects to see.
//   TAUT_VIEWER_SITE   the viewer's build folder, with playwright-core among its packages
//   TAUT_VIEWER_PAGES  the folder with the sample pages; pictures are left there too
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodePng, difference } from './png.mjs';

const site = process.env.TAUT_VIEWER_SITE;
export const pages = process.env.TAUT_VIEWER_PAGES;
assert.ok(site && pages, 'TAUT_VIEWER_SITE and TAUT_VIEWER_PAGES must be set');
const { chromium } = createRequire(join(site, 'package.json'))('playwright-core');

const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = candidates.find((path) => path && existsSync(path));
if (!executablePath) {
    console.error('FAILED: no Chromium on this machine. Install it (Debian: apt-get install chromium) or name it in CHROMIUM.');
    process.exit(1);
}

// Software drawing; nothing that would look for a network; root needs --no-sandbox.
const flags = [
    '--no-sandbox', '--disable-gpu-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--no-default-browser-check',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-domain-reliability',
    '--disable-client-side-phishing-detection', '--disable-default-apps', '--disable-extensions', '--metrics-recording-only',
    '--disable-features=MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider', '--force-device-scale-factor=1',
];
const patience = 60_000;

const started = Date.now();
export const passed = (text) => console.log(`ok ${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`);

export class Window {
    // clip: the part of the window that pictures are taken of.
    constructor(page, clip) {
        this.page = page;
        this.problems = [];
        this.requests = [];
        this.clip = clip;
        page.setDefaultTimeout(patience);
        page.on('console', (message) => {
            const bad = message.type() === 'error' || /THREE|WebGL: INVALID/.test(message.text());
            if (bad) this.problems.push(`${message.type()}: ${message.text()}`);
        });
        page.on('pageerror', (error) => this.problems.push(`exception: ${error.message}`));
        page.on('request', (request) => this.requests.push(request.url().slice(0, 200)));
    }

    async open(name) {
        this.url = pathToFileURL(join(pages, name)).href;
        await this.page.goto(this.url);
        await this.page.waitForFunction(() => {
            const { state } = document.documentElement.dataset;
            return state === 'failed' || (state === 'ready' && document.querySelector('canvas[data-drawn]'));
        });
        assert.equal(await this.page.evaluate(() => document.documentElement.dataset.state), 'ready', this.problems.join('\n'));
    }

    // The scene as it is once all that was asked for has been drawn.
    async shoot() {
        await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        return decodePng(await this.page.screenshot({ clip: this.clip, animations: 'disabled' }));
    }

    async save(name) {
        await this.page.screenshot({ path: join(pages, name) });
    }

    // Looks until at least `share` of the pixels differ from a picture, and returns the new one.
    async changedFrom(before, share, what) {
        return this.until(async () => {
            const now = await this.shoot();
            return difference(before, now) >= share ? now : null;
        }, `${what}: less than ${100 * share} % of the pixels have changed`);
    }

    async sameAs(before, what) {
        return this.until(async () => {
            const now = await this.shoot();
            return difference(before, now) < 0.002 ? now : null;
        }, `${what}: the picture is not as it was`);
    }

    async until(condition, message) {
        for (const end = Date.now() + patience; ;) {
            const result = await condition();
            if (result) return result;
            if (Date.now() > end) throw new Error(message);
        }
    }

    text(id) {
        return this.page.locator(`#${id}`).textContent();
    }

    async frame() {
        return Number(/frame (\d+)/.exec(await this.text('frame-readout'))[1]);
    }

    quiet() {
        assert.deepEqual(this.problems, [], 'the console must stay free of errors');
        assert.deepEqual(this.requests.filter((url) => url !== this.url && !url.startsWith('data:')), [],
            'the page must ask for nothing but itself');
    }
}

// Runs `tests(openWindow)` in a browser with windows of size `view`; failures are told and pictured.
export async function runTests(view, tests) {
    const browser = await chromium.launch({ executablePath, args: flags, timeout: patience });
    passed(`Chromium ${browser.version()}`);
    const context = await browser.newContext({ viewport: view, colorScheme: 'light', reducedMotion: 'reduce', offline: true });
    let window;
    const openWindow = async (clip) => {
        await window?.page.close();
        window = new Window(await context.newPage(), clip);
        return window;
    };
    try {
        await tests(openWindow);
        console.log(`All checks passed; pictures in ${pages}`);
    } catch (error) {
        await window?.save('failure.png').catch(() => {});
        console.error(`FAILED: ${error.message}`);
        if (window?.problems.length) console.error(window.problems.join('\n'));
        console.error(error.stack);
        process.exitCode = 1;
    } finally {
        await browser.close();
    }
}
