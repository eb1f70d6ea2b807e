// A floor: a large disc with a grid, fading into the background, that receives shadows and is
// seen from above only. The ground under a scene and every plane obstacle are floors.
import * as THREE from 'three';

// Spacing of the grid [m]: the power of ten that puts 5 to 50 lines across the extent.
function gridSpacing(extent) {
    return 10 ** Math.floor(Math.log10(extent / 5));
}

// Draws a solid as if it lay `depth` [m] farther from the eye, at the same place on the screen. Cloth
// touches a solid with its vertices; between them its flat faces cut into the solid, which would show.
export function pushBack(shader, depth) {
    shader.uniforms.pushDepth = { value: depth };
    shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nuniform float pushDepth;')
        .replace('#include <project_vertex>', `#include <project_vertex>
            vec4 behind = projectionMatrix * (mvPosition - vec4(0.0, 0.0, pushDepth, 0.0));
            gl_Position.z = behind.z / behind.w * gl_Position.w;`);
}

export class Floor {
    // extent: size of what stands on it [m]; depth: see pushBack. The disc is centred at the origin, facing +z.
    constructor(extent, depth) {
        this.depth = depth;
        this.uniforms = {
            lineTint: { value: new THREE.Color() },
            spacing: { value: gridSpacing(extent) },
            reach: { value: 2.5 * extent },
            grid: { value: 1 },
        };
        this.material = new THREE.MeshLambertMaterial({ transparent: true });
        this.material.onBeforeCompile = (shader) => this.addGrid(shader);
        this.mesh = new THREE.Mesh(new THREE.CircleGeometry(2.5 * extent, 96), this.material);
        this.mesh.receiveShadow = true;
        this.mesh.renderOrder = -1;
    }

    addGrid(shader) {
        Object.assign(shader.uniforms, this.uniforms);
        pushBack(shader, this.depth);
        shader.vertexShader = shader.vertexShader
            .replace('#include <common>', '#include <common>\nvarying vec2 vFloor;')
            .replace('#include <begin_vertex>', '#include <begin_vertex>\nvFloor = position.xy;');
        shader.fragmentShader = shader.fragmentShader
            .replace('#include <common>', `#include <common>
                varying vec2 vFloor;
                uniform vec3 lineTint;
                uniform float spacing, reach, grid;
                float gridLines(vec2 p, float width) {
                    vec2 step = fwidth(p);
                    vec2 near = abs(fract(p - 0.5) - 0.5) / max(step, vec2(1e-6));
                    vec2 line = clamp(width - near, 0.0, 1.0) * clamp(0.7 - 2.0 * step, 0.0, 1.0);
                    return max(line.x, line.y);
                }`)
            .replace('#include <color_fragment>', `#include <color_fragment>
                float fine = 0.22 * gridLines(vFloor / spacing, 1.0);
                float coarse = 0.6 * gridLines(vFloor / (10.0 * spacing), 1.2);
                diffuseColor.rgb = mix(diffuseColor.rgb, lineTint, grid * max(fine, coarse));
                diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(vFloor) / reach);`);
    }

    setTheme(theme) {
        this.material.color.set(theme.floor);
        this.uniforms.lineTint.value.set(theme.gridLine);
    }
}
