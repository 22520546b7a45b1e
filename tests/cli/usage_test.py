# SPDX-License-Identifier: Apache-2.0
"""Wrong usage: exit code 2, one line, and a way out. One entry of the table per mistake."""
from tool import IRIS, USAGE, ToolTest

FIT = ("fit", IRIS, "-o", "m")
TUNE = ("tune", IRIS)

MISTAKES = {
    "no command": ((), ["see manyone --help"]),
    "unknown command": (("fti", IRIS), ["unknown command 'fti'", "did you mean fit?"]),
    "unknown command like no other": (("compress",), ["unknown command 'compress'", "see manyone --help"]),
    "unknown option": ((*FIT, "--sgima", 1), ["unknown option '--sgima'", "did you mean --sigma?", "see manyone fit --help"]),
    "unknown option with a value": ((*FIT, "--riddge=1"), ["did you mean --ridge?"]),
    "unknown option of another command": (("predict", "m", IRIS, "--probas"), ["did you mean --proba?"]),
    "option of another command": (("predict", "m", IRIS, "--sigma", 1), ["unknown option '--sigma'"]),
    "one argument too many": (("predict", "m", IRIS, "more"), ["unknown argument 'more'", "see manyone predict --help"]),
    "no table": (("fit", "-o", "m"), ["DATA is required"]),
    "no output": (("fit", IRIS), ["--output is required"]),
    "output without a name": (("fit", IRIS, "-o"), ["--output"]),
    "option twice": ((*FIT, "--sigma", 1, "--sigma", 2), ["--sigma"]),
    "sigma with a linear kernel": ((*FIT, "--kernel", "linear", "--sigma", 1), ["linear kernel has no sigma", "leave --sigma out"]),
    "sigma with a polynomial kernel": ((*FIT, "--kernel", "polynomial", "--sigma", 1), ["polynomial kernel has no sigma"]),
    "degree with a gaussian kernel": ((*FIT, "--degree", 2), ["gaussian kernel has no degree", "--kernel polynomial"]),
    "offset with a linear kernel": ((*FIT, "--kernel", "linear", "--offset", 2), ["linear kernel has no degree or offset"]),
    "scale with a precomputed kernel": ((*FIT, "--kernel", "precomputed", "--scale", "range"), ["cannot be scaled", "--scale none"]),
    "unknown kernel": ((*FIT, "--kernel", "gausian"), ["'gausian' is not known", "did you mean 'gaussian'?"]),
    "unknown machine": ((*FIT, "--machine", "onelms"), ["machine 'onelms' is not known", "onelsm"]),
    "unknown labelbook": ((*FIT, "--labelbook", "indicater", "--quiet"), ["labelbook 'indicater'", "indicator"]),
    "unknown scaling": ((*FIT, "--scale", "log"), ["scaling 'log' is not known", "range, standard, maxabs or none"]),
    "unknown backend": ((*FIT, "--backend", "gpu"), ["backend 'gpu' is not in this build", "cpu, reference"]),
    "unknown search": ((*FIT, "--search", "luck"), ["--search", "luck", "auto", "grid"]),
    "unknown progress": ((*FIT, "--progress", "loud"), ["--progress", "loud", "json"]),
    "unknown missing policy": ((*FIT, "--missing", "zero"), ["--missing", "zero", "indicator"]),
    "weights that are no file": ((*FIT, "--weights", "ballanced"), ["--weights", "uniform, balanced or a file", "'ballanced'"]),
    "sigma that is no number": ((*FIT, "--sigma", "wide"), ["--sigma must be a number above 0 or auto, found 'wide'"]),
    "sigma of zero": ((*FIT, "--sigma", 0), ["sigma must be a number above 0"]),
    "negative ridge": ((*FIT, "--ridge", -1), ["ridge must be a number above 0"]),
    "infinite ridge": ((*FIT, "--ridge", "inf"), ["ridge must be a number above 0"]),
    "ridge and lambda": ((*FIT, "--ridge", 1, "--lambda", 1), ["--ridge excludes --lambda"]),
    "negative lambda": ((*FIT, "--lambda", -1), ["above 0"]),
    "degree of zero": ((*FIT, "--kernel", "polynomial", "--degree", 0), ["degree"]),
    "fewer folds": ((*FIT, "--folds", -3), ["--folds must be 2 or more, or loo, found -3"]),
    "negative seed": ((*FIT, "--seed", -1), ["--seed", "whole number from 0 to 9223372036854775807", "'-1'"]),
    "seed beyond integers": ((*FIT, "--seed", "99999999999999999999"), ["--seed", "'99999999999999999999'"]),
    "accuracy of what is exact": ((*FIT, "--accuracy", "1e-3"), ["--accuracy goes with conjugate gradients", "150 rows are solved exactly"]),
    "accuracy of one": ((*FIT, "--machine", "svm-ovo", "--accuracy", 1), ["less than 1, found 1"]),
    "repeats with everything given": ((*FIT, "--sigma", 1, "--ridge", 1, "--repeats", 4), ["leave --repeats out"]),
    "journal with everything given": ((*FIT, "--sigma", 1, "--ridge", 1, "--resume", "j"), ["leave --resume out"]),
    "one fold": ((*FIT, "--folds", 1), ["folds must be 2 or more"]),
    "more folds than rows": ((*FIT, "--folds", 1000), ["--folds 1000", "found 150", "use fewer folds or loo"]),
    "folds that are no file": ((*FIT, "--folds", "ten"), ["--folds must be a number, loo, column:NAME or a file, found 'ten'"]),
    "fold column that is not there": ((*FIT, "--folds", "column:part"), ["'part'", "no such column"]),
    "stratified leave-one-out": ((*FIT, "--folds", "loo", "--stratify"), ["--stratify needs random folds"]),
    "repeated leave-one-out": ((*FIT, "--folds", "loo", "--repeats", 2), ["repeats need random folds"]),
    "no repeats": ((*FIT, "--repeats", 0), ["repeats must be 1 to 10000, found 0"]),
    "grid with everything given": ((*FIT, "--sigma", 1, "--ridge", 1, "--grid", "sigma=-1:1"), ["sigma is given"]),
    "search with everything given": ((*FIT, "--sigma", 1, "--ridge", 1, "--search", "grid"), ["nothing to search"]),
    "grid of a given parameter": ((*TUNE, "--ridge", 1, "--grid", "sigma=-1:1,ridge=-1:1"), ["ridge is given"]),
    "grid of sigma without sigma": ((*TUNE, "--kernel", "linear", "--grid", "sigma=-1:1"), ["linear kernel has no sigma to search"]),
    "grid of an unknown axis": ((*TUNE, "--grid", "gamma=-1:1"), ["axes sigma and ridge (or cost), found 'gamma'"]),
    "grid upside down": ((*TUNE, "--grid", "sigma=1:-1"), ["grid of sigma must be low:high"]),
    "grid that is no range": ((*TUNE, "--grid", "sigma=a:b"), ["--grid sigma: expected low:high"]),
    "grid with a step of zero": ((*TUNE, "--grid", "sigma=-1:1:0"), ["grid of sigma"]),
    "grid that is huge": ((*TUNE, "--grid", "sigma=-1:1:0.0001"), ["over 1000 values"]),
    "target that is not there": ((*FIT, "--target", "species"), ["target 'species'", "iris.csv has no such column", "1 to 5"]),
    "target number beyond": ((*FIT, "--target", 6), ["target '6'", "1 to 5"]),
    "column zero": ((*FIT, "--ignore", 0), ["ignore '0'", "a number from 1 to 5"]),
    "nominal column that is not there": ((*FIT, "--nominal", "colour"), ["nominal 'colour'", "no such column"]),
    "negative threads": ((*FIT, "--threads", -3), ["--threads", "-3"]),
    "threads that are no number": ((*FIT, "--threads", "all"), ["--threads", "all"]),
    "memory that is no size": ((*FIT, "--memory", "lots"), ["--memory must be a size such as 8G or 500M, found 'lots'"]),
    "output in a folder that is not there": (("fit", IRIS, "-o", "absent/m"), ["absent/m", "does not exist", "create it"]),
}


class Usage(ToolTest):
    def test_each_mistake_is_one_line_that_says_what_to_do(self):
        for name, (arguments, says) in MISTAKES.items():
            with self.subTest(name):
                result = self.fails(USAGE, *arguments, says=says)
                self.assertEqual(result.out, "")
                self.assertFalse((self.folder / "m").exists())

    def test_wrong_usage_with_json_leaves_standard_output_empty(self):
        self.assertEqual(self.fails(USAGE, *FIT, "--json", "--kernel", "linear", "--sigma", 1).out, "")

    def test_output_that_is_a_folder_is_refused(self):
        (self.folder / "there").mkdir()
        self.fails(USAGE, "fit", IRIS, "-o", "there", "--quiet", "--sigma", 1, "--ridge", 1, says=["there", "must name a file"])

