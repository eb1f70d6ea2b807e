// Builds the page templates: dist/viewer.html of `taut view` and dist/compare.html of `taut compare`. The
// scripts of a page are bundled by vite into one classic script; styles and script are put into its HTML.
// The marker <!--taut:run--> stays for the runs.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const marker = '<!--taut:run-->';
const styleLink = /<link rel="stylesheet" href="\/(src\/\w+\.css)">\n/g;
const scriptLink = /<script type="module" src="\/(src\/\w+\.js)"><\/script>/;

async function bundle(entry) {
    const bundles = await build({
        root: here,
        configFile: false,
        logLevel: 'warn',
        build: {
            write: false,
            minify: 'esbuild',
            target: 'es2020',
            lib: { entry: join(here, entry), name: 'taut', formats: ['iife'] },
        },
    });
    const chunks = [].concat(bundles).flatMap((made) => made.output);
    const script = chunks.find((chunk) => chunk.type === 'chunk').code.trim();
    if (/<\/script|<!--/i.test(script)) throw new Error(`${entry} holds text that would end its script element`);
    return script;
}

async function buildPage(source, target) {
    let page = await readFile(join(here, source), 'utf8');
    const styles = [...page.matchAll(styleLink)].map((link) => readFile(join(here, link[1]), 'utf8'));
    const style = (await Promise.all(styles)).join('').trim();
    const entry = scriptLink.exec(page)?.[1];
    if (!style || !entry) throw new Error(`${source} must name its styles and its script`);
    const script = await bundle(entry);

    // Put the texts in literally: a function as replacement knows no special characters.
    page = page.replace(styleLink, '').replace('</head>', () => `<style>\n${style}\n</style>\n</head>`);
    page = page.replace(scriptLink, () => `<script>\n${script}\n</script>`);
    if (page.split(marker).length !== 2) throw new Error(`${source} must hold ${marker} exactly once`);
    if (/\s(src|href)="\//.test(page.replace(script, ''))) throw new Error(`${source} refers to another file`);
    await writeFile(join(here, 'dist', target), page);
}

await mkdir(join(here, 'dist'), { recursive: true });
await buildPage('index.html', 'viewer.html');
await buildPage('compare.html', 'compare.html');
