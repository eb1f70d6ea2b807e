// The stage of the compare page. Browsers allow few drawing contexts, so that one renderer draws the runs
// one after the other, under the same lights and the same camera, and each panel keeps a copy.
import { Stage } from './stage.js';

export class CompareStage extends Stage {
    // panels: ComparePanels with a view; a drag in any of them turns the camera.
    constructor(panels) {
        // Leave the wheel to the page, which scrolls, unless Ctrl is held; pinching holds it too.
        for (const { canvas } of panels) {
            canvas.addEventListener('wheel', (event) => {
                if (!event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
            }, { capture: true });
        }
        super(document.createElement('canvas'), () => {}, panels.map((panel) => panel.canvas));
        this.panels = panels;
        for (const panel of panels) {
            this.scene.add(panel.view.group);
            // Leave vertical strokes of a finger to the page.
            panel.canvas.style.touchAction = 'pan-y';
        }
        this.watch();
    }

    // Draws only the panels that are near the window.
    watch() {
        const observer = new IntersectionObserver((entries) => {
            for (const entry of entries) {
                this.panels.find((panel) => panel.canvas === entry.target).inSight = entry.isIntersecting;
            }
            this.invalidate();
        }, { rootMargin: '200px' });
        for (const panel of this.panels) observer.observe(panel.canvas);
    }

    resize(width, height) {
        if (width !== this.room.width || height !== this.room.height) super.resize(width, height);
    }

    draw() {
        this.stale = false;
        this.drawn = true;
        for (const panel of this.panels) {
            if (!panel.inSight) continue;
            panel.bring();
            for (const other of this.panels) other.view.group.visible = other === panel;
            this.renderer.shadowMap.needsUpdate = true;
            this.renderer.render(this.scene, this.camera);
            panel.copy(this.canvas);
        }
    }
}
