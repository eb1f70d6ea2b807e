// The strain colours: a ramp from strain 0 to the top of a chosen scale, and one colour above it.
// The cloth carries strain codes; a table of 256 colours, rebuilt when the scale changes, is all
// that the shader looks up.
import * as THREE from 'three';

const ramp = ['#2f3a7d', '#2d7fa6', '#56b790', '#f0d060', '#ea7a35'];
export const overColour = '#d3145c';

const rampColours = ramp.map((text) => new THREE.Color(text));
const over = new THREE.Color(overColour);

// Colour at share 0..1 of the scale, mixed in the space of the screen, as CSS gradients are.
function colourAt(share) {
    const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
    const k = Math.min(Math.floor(place), ramp.length - 2);
    const a = rampColours[k].clone().convertLinearToSRGB(), b = rampColours[k + 1].clone().convertLinearToSRGB();
    return a.lerp(b, place - k);
}

// A strain as a text; number and sign stay on one line.
export function percent(strain) {
    if (strain === null || strain === undefined || !Number.isFinite(strain)) return 'not a number';
    const value = 100 * strain;
    if (value === 0) return '0\u00a0%';
    if (value < 1e-4) return `${value.toExponential(1)}\u00a0%`;
    return `${Number(value.toPrecision(3))}\u00a0%`;
}

export class HeatScale {
    // runs: one or several whose codes mean the same strains; tolerance: 0 where nothing was promised.
    constructor(runs, tolerance) {
        this.run = runs[0];
        this.tolerance = tolerance;
        this.log = false;
        this.choice = 'auto';
        const most = Math.max(...runs.map((run) => run.largestStrain()));
        const largest = runs.length > 1 ? 'largest of all runs' : 'largest of the run';
        this.tops = {
            auto: tolerance > 0 ? tolerance : most > 0 ? most : 1e-3,
            largest: most > 0 ? most : 1e-3,
            '0.00001': 1e-5, '0.0001': 1e-4, '0.001': 1e-3, '0.01': 1e-2, '0.1': 1e-1,
        };
        this.names = {
            auto: tolerance > 0 ? `tolerance, ${percent(tolerance)}` : largest,
            ...(tolerance > 0 ? { largest: `${largest}, ${percent(most)}` } : {}),
            '0.00001': '0.001 %', '0.0001': '0.01 %', '0.001': '0.1 %', '0.01': '1 %', '0.1': '10 %',
        };
        this.texture = new THREE.DataTexture(new Uint8Array(256 * 4), 256, 1);
        this.texture.colorSpace = THREE.SRGBColorSpace;
        this.texture.magFilter = THREE.LinearFilter;
        this.texture.minFilter = THREE.LinearFilter;
        this.rebuild();
    }

    get top() {
        return this.tops[this.choice];
    }

    // Bottom of the logarithmic scale: three factors of ten below the top.
    get bottom() {
        return this.log ? this.top / 1000 : 0;
    }

    // Share of the scale, above 1 for strains above it.
    share(strain) {
        if (!this.log) return strain / this.top;
        return strain <= this.bottom ? 0 : 1 + Math.log10(strain / this.top) / 3;
    }

    rebuild() {
        const data = this.texture.image.data;
        for (let code = 0; code < 256; ++code) {
            const share = this.share(this.run.strainOfCode(code));
            const colour = share > 1 + 1e-6 ? over.clone().convertLinearToSRGB() : colourAt(share);
            data.set([255 * colour.r, 255 * colour.g, 255 * colour.b, 255].map(Math.round), 4 * code);
        }
        this.texture.needsUpdate = true;
    }

    gradient() {
        return `linear-gradient(to right, ${ramp.join(', ')})`;
    }

    // Places 0..1 and texts of the numbers below the bar.
    ticks() {
        const shares = this.log ? [0, 1 / 3, 2 / 3, 1] : [0, 0.25, 0.5, 0.75, 1];
        return shares.map((share) => ({
            share,
            text: percent(this.log ? this.top * 10 ** (3 * (share - 1)) : this.top * share),
        }));
    }
}
