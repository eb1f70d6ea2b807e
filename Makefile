# The commands of the README; the build itself is CMake's. `make help` lists them.
PREFIX ?= /usr/local

.PHONY: help demo release test bench bench-detection bench-collisions lint install clean

help:
	@echo "make demo      set up, build, run the flagship scene, leave a picture and a viewer in out/demo"
	@echo "make test      set up, build and run the whole test suite"
	@echo "make bench     set up, build and run the benchmarks"
	@echo "make bench-detection   the part of it that asks continuous detection questions with known answers, and grows the broad phase"
	@echo "make bench-collisions  every scene with collisions, ten times shaken, each step verified: hours"
	@echo "make lint      check format, static analysis and layers"
	@echo "make install   install program, library and CMake package under PREFIX ($(PREFIX))"
	@echo "make clean     remove build/ and out/"

# A configure step speaks only when something is wrong.
configure = cmake --preset $(1) --log-level=WARNING >/dev/null

release:
	@tools/setup demo
	$(call configure,release)
	cmake --build --preset release

demo: release
	build/release/apps/cli/taut run scenes/flagship.json -o $(CURDIR)/out/demo

# The malformed-input tests come from a second build under sanitizers; ctest runs both as one.
test:
	@tools/setup test
	$(call configure,test)
	$(call configure,sanitize)
	cmake --build --preset test
	cmake --build --preset sanitize
	ctest --preset test

bench: bench-detection
	benchmarks/run build/release/apps/cli/taut out/bench

# The oracle's long numbers come from Boost, which only the benchmarks and tests need.
bench-detection: release
	@tools/setup bench
	$(call configure,release -DTAUT_BUILD_BENCHMARKS=ON)
	cmake --build --preset release --target detection_queries broad_phase_growth
	build/release/benchmarks/detection/detection_queries
	build/release/benchmarks/detection/broad_phase_growth

bench-collisions: release
	@tools/setup bench
	benchmarks/collisions build/release/apps/cli/taut out/collisions

lint:
	@tools/setup lint
	tools/lint

install: release
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build out
