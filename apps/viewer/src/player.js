// Playback: which frame is shown, and the clock that moves it on. Knows nothing of drawing.

export class Player {
    // times: of the frames [s], ascending; onChange(frame, share) is told what to show.
    constructor(times, onChange) {
        this.times = times;
        this.onChange = onChange;
        this.frame = 0;
        this.share = 0;
        this.time = times[0] ?? 0;
        this.speed = 1;
        this.loop = true;
        this.playing = false;
        this.last = null;
    }

    get end() {
        return this.times.length - 1;
    }

    // Shows exactly frame k.
    seek(k) {
        this.frame = Math.min(Math.max(Math.round(k), 0), Math.max(this.end, 0));
        this.share = 0;
        this.time = this.times[this.frame] ?? 0;
        this.onChange(this);
    }

    play() {
        if (this.end < 1) return;
        if (this.time >= this.times[this.end]) this.seek(0);
        this.playing = true;
        this.last = null;
        this.onChange(this);
    }

    pause() {
        this.playing = false;
        this.seek(this.frame + (this.share > 0.5 ? 1 : 0));
    }

    toggle() {
        if (this.playing) this.pause();
        else this.play();
    }

    // Called once per screen refresh with the time of day [ms].
    tick(now) {
        if (!this.playing) return;
        // A stall (hidden page, slow machine) must not skip more than a quarter of a second.
        const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
        this.last = now;
        this.time += passed * this.speed;
        const end = this.times[this.end];
        if (this.time >= end) {
            if (!this.loop) {
                this.playing = false;
                this.seek(this.end);
                return;
            }
            const span = end - this.times[0];
            this.time = this.times[0] + ((this.time - end) % span);
            this.frame = 0;
        }
        while (this.frame < this.end && this.times[this.frame + 1] <= this.time) ++this.frame;
        const from = this.times[this.frame], to = this.times[Math.min(this.frame + 1, this.end)];
        this.share = to > from ? Math.min(Math.max((this.time - from) / (to - from), 0), 1) : 0;
        this.onChange(this);
    }
}
