// Builds dist/viewer.html, the page template of `taut view`: the scripts bundled by vite into one
// classic script, style and script put into index.html. The marker <!--taut:run--> stays for the run.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const marker = '<!--taut:run-->';

// Replaces exactly one occurrence; the replacement is taken literally.
function replaceOnce(text, old, fresh) {
    const parts = text.split(old);
    if (parts.length !== 2) throw new Error(`index.html must hold ${old} exactly once`);
    return parts.join(fresh);
}

const bundles = await build({
    root: here,
    configFile: false,
    logLevel: 'warn',
    build: {
        write: false,
        minify: 'esbuild',
        target: 'es2020',
        lib: { entry: join(here, 'src/main.js'), name: 'taut', formats: ['iife'] },
    },
});
const chunks = [].concat(bundles).flatMap((bundle) => bundle.output);
const script = chunks.find((chunk) => chunk.type === 'chunk').code.trim();
const style = (await readFile(join(here, 'src/style.css'), 'utf8')).trim();
if (/<\/script|<!--/i.test(script)) throw new Error('the bundle holds text that would end its script element');

let page = await readFile(join(here, 'index.html'), 'utf8');
page = replaceOnce(page, '<link rel="stylesheet" href="/src/style.css">', `<style>\n${style}\n</style>`);
page = replaceOnce(page, '<script type="module" src="/src/main.js"></script>', `<script>\n${script}\n</script>`);
if (page.split(marker).length !== 2) throw new Error(`the page must hold ${marker} exactly once`);

await mkdir(join(here, 'dist'), { recursive: true });
await writeFile(join(here, 'dist/viewer.html'), page);
