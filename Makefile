# make demo    plan a real model and prove it on an emulated Cortex-M4
# make test    run all tests
# make bench   speed and sizes, as tables; instructions of every model and operator
# make verify-all  every real model on the emulated Cortex-M4, compared with TFLM
# make golden  rewrite the expected outputs in tests/golden; read the diff like code
# make gallery renders the pictures and walk-throughs of tests/golden/gallery that the README shows
# make tools   install and download what the others need; they call it themselves
# make clean   remove build/

PYTHON ?= python3
VENV := build/venv/bin
TOOL := $(VENV)/arena-codegen

.PHONY: demo test bench verify-all golden gallery tools clean

tools:
	@PYTHON='$(PYTHON)' .ci/setup

demo:
	@PYTHON='$(PYTHON)' .ci/setup demo
	@mkdir -p build/demo
	$(TOOL) build/models/keyword_spotting.tflite -o build/demo/kws_plan.h --prefix kws
	$(TOOL) inspect build/models/keyword_spotting.tflite
	$(TOOL) verify build/models/keyword_spotting.tflite --build-dir build/demo/firmware

test: tools
	@$(VENV)/python -m pytest $(PYTEST_ARGS)

bench: tools
	@$(VENV)/python -m tests.bench
	@$(VENV)/python -m tests.bench.verify_all --operators build/models

verify-all: tools
	@$(VENV)/python -m tests.bench.verify_all build/models

golden: tools
	@ARENA_UPDATE_GOLDEN=1 $(VENV)/python -m pytest tests -q -k golden

gallery: tools
	@ARENA_UPDATE_GOLDEN=1 $(VENV)/python -m pytest tests/golden -q -k gallery

clean:
	rm -rf build
