// The stage: renderer, camera, lights and floor. It draws only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Floor } from './floor.js';

export const themes = {
    light: {
        background: '#e9ecf0', floor: '#d6d9de', gridLine: '#7e8795', obstacle: '#c6bfb4',
        sky: '#ffffff', ground: '#a9a39b', ambient: 1.15, key: 2.5,
    },
    dark: {
        background: '#15171c', floor: '#282d35', gridLine: '#697486', obstacle: '#98928a',
        sky: '#cfd9ee', ground: '#3b3733', ambient: 0.8, key: 2.4,
    },
};

// From the scene to the camera and to the lights.
const viewDirection = new THREE.Vector3(0.62, -1, 0.5).normalize();
export const keyDirection = new THREE.Vector3(-0.95, -0.55, 1.25).normalize();
const fillDirection = new THREE.Vector3(1.3, -0.7, 0.5).normalize();
const rimDirection = new THREE.Vector3(0.6, 1.4, 0.9).normalize();

export class Stage {
    // onDraw(): the picture is on the canvas; handles: the elements on which a drag turns the camera.
    constructor(canvas, onDraw, handles = [canvas]) {
        this.canvas = canvas;
        this.onDraw = onDraw;
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.shadowMap.autoUpdate = false;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
        this.camera.up.set(0, 0, 1);
        this.damping = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        this.target = new THREE.Vector3();
        this.controls = handles.map((handle) => this.makeControls(handle));
        this.addLights();
        this.stale = true;
        this.drawn = false;
        this.moved = false;
        this.room = { width: 1, height: 1, left: 0, up: 0 };
    }

    // All controls move the one camera about the one target.
    makeControls(handle) {
        const controls = new OrbitControls(this.camera, handle);
        controls.target = this.target;
        controls.enableDamping = this.damping;
        controls.dampingFactor = 0.12;
        controls.addEventListener('change', () => this.invalidate());
        controls.addEventListener('start', () => (this.moved = true));
        return controls;
    }

    addLights() {
        this.hemisphere = new THREE.HemisphereLight();
        this.hemisphere.position.set(0, 0, 1);
        this.key = new THREE.DirectionalLight('#fff6ea');
        this.key.castShadow = true;
        this.key.shadow.mapSize.set(2048, 2048);
        this.key.shadow.radius = 5;
        this.fill = new THREE.DirectionalLight('#dfe8ff', 0.5);
        this.rim = new THREE.DirectionalLight('#ffffff', 0.6);
        this.scene.add(this.hemisphere, this.key, this.key.target, this.fill, this.fill.target, this.rim, this.rim.target);
    }

    // Sets camera, lights and floor for a scene inside `bounds`; floorHeight null: no floor of its own.
    frameScene(bounds, floorHeight) {
        this.bounds = bounds;
        this.focus = bounds.getCenter(new THREE.Vector3());
        this.radius = Math.max(0.5 * bounds.getSize(new THREE.Vector3()).length(), 1e-3);
        const r = this.radius;
        for (const [light, direction] of [[this.key, keyDirection], [this.fill, fillDirection], [this.rim, rimDirection]]) {
            light.position.copy(this.focus).addScaledVector(direction, 3 * r);
            light.target.position.copy(this.focus);
        }
        const shadow = this.key.shadow;
        Object.assign(shadow.camera, { left: -1.5 * r, right: 1.5 * r, top: 1.5 * r, bottom: -1.5 * r, near: r, far: 7 * r });
        shadow.camera.updateProjectionMatrix();
        shadow.normalBias = 0.008 * r;
        shadow.bias = -0.0004;
        this.camera.near = r / 100;
        this.camera.far = 40 * r;
        for (const controls of this.controls) Object.assign(controls, { minDistance: r / 20, maxDistance: 12 * r });
        if (floorHeight !== null) this.addFloor(floorHeight);
    }

    addFloor(height) {
        this.floor = new Floor(2 * this.radius, 0);
        const cell = 10 * this.floor.uniforms.spacing.value;
        this.floor.mesh.position.set(
            Math.round(this.focus.x / cell) * cell, Math.round(this.focus.y / cell) * cell, height);
        this.scene.add(this.floor.mesh);
        this.setTheme(this.theme ?? themes.light);
    }

    // Puts the whole scene in sight, in what the panels leave of the window.
    resetView() {
        this.moved = false;
        const { width, height, left, up } = this.room;
        const slope = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
        const wide = slope * this.camera.aspect * Math.max(1 - (2 * left) / width, 0.2);
        const high = slope * Math.max(1 - (2 * up) / height, 0.2);
        const right = new THREE.Vector3(0, 0, 1).cross(viewDirection).normalize();
        const above = viewDirection.clone().cross(right);

        // Step back until every corner of the box is inside the frame, with some air around it.
        let distance = 0;
        for (let k = 0; k < 8; ++k) {
            const corner = new THREE.Vector3(
                k & 1 ? this.bounds.max.x : this.bounds.min.x, k & 2 ? this.bounds.max.y : this.bounds.min.y,
                k & 4 ? this.bounds.max.z : this.bounds.min.z).sub(this.focus);
            const need = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(above)) / high);
            distance = Math.max(distance, 1.02 * need + corner.dot(viewDirection));
        }
        // Stop what still turns from the last drag.
        for (const controls of this.controls) {
            controls.enableDamping = false;
            controls.update();
            controls.enableDamping = this.damping;
        }
        this.target.copy(this.focus);
        this.camera.position.copy(this.focus).addScaledVector(viewDirection, Math.max(distance, this.radius / 10));
        this.updateControls();
        this.invalidate();
    }

    setTheme(theme) {
        this.theme = theme;
        this.scene.background = new THREE.Color(theme.background);
        this.hemisphere.color.set(theme.sky);
        this.hemisphere.groundColor.set(theme.ground);
        this.hemisphere.intensity = theme.ambient;
        this.key.intensity = theme.key;
        this.floor?.setTheme(theme);
        this.invalidate();
    }

    setShadows(on) {
        this.key.castShadow = on;
        this.changed();
    }

    // Takes the size of the picture [pixels]; `left` and `up` are the pixels by which its middle makes
    // room for panels.
    resize(width, height, left = 0, up = 0) {
        if (width === 0 || height === 0) return;
        this.room = { width, height, left, up };
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.setViewOffset(width, height, left, up, width, height);
        if (!this.moved) this.resetView();
        // A resized canvas is blank: draw at once, not at the next refresh.
        if (this.drawn) this.draw();
    }

    // The view has changed: draw at the next refresh.
    invalidate() {
        this.stale = true;
    }

    // The scene has changed: draw, and cast the shadows anew.
    changed() {
        this.renderer.shadowMap.needsUpdate = true;
        this.invalidate();
    }

    // Called once per screen refresh.
    tick() {
        this.updateControls();
        if (this.stale) this.draw();
    }

    updateControls() {
        for (const controls of this.controls) controls.update();
    }

    draw() {
        this.stale = false;
        this.drawn = true;
        this.renderer.render(this.scene, this.camera);
        this.onDraw();
    }

    // The present view as a PNG.
    picture(done) {
        this.draw();
        this.canvas.toBlob(done, 'image/png');
    }
}
