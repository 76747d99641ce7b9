// PennController as main.js sees it: every element records what is called on it; templates run over the rows of one group.
const [script, table, counter] = process.argv.slice(2);
const vm = require("vm");
const fs = require("fs");
const trials = [];
let sequence = [];
let made = [];

function element(kind, values) {
    const record = { kind, arguments: values, calls: [] };
    const found = new Proxy({}, {
        get(_, name) {
            if (name === "toJSON") return () => `${kind} ${values[0]}`;
            if (name === "test" || name === "testNot") return found;
            return (...given) => {
                record.calls.push([name, given]);
                return found;
            };
        },
    });
    return [record, found];
}

const commands = {};
for (const kind of ["Text", "Button", "Selector", "Controller", "DropDown", "TextInput"]) {
    const named = {};
    commands["new" + kind] = (...values) => {
        const [record, found] = element(kind, values);
        named[values[0]] = found;
        made.push(record);
        return found;
    };
    commands["get" + kind] = (name) => {
        if (!(name in named)) throw new Error(`${kind} ${name} is used before it is made`);
        return named[name];
    };
}

function newTrial(label, ...given) {
    if (given.some((one) => one === undefined)) throw new Error(`trial ${label} has an undefined element`);
    const trial = { label, elements: made, log: {} };
    made = [];
    trials.push(trial);
    const found = { log: (name, value) => { trial.log[name] = value; return found; } };
    return found;
}

// As in PennController's tables: the groups in the order of the table, one of them by the counter.
function Template(rows, make) {
    const groups = [...new Set(rows.map((row) => row.Group))];
    rows.filter((row) => row.Group === groups[counter % groups.length]).forEach(make);
}

vm.runInNewContext(fs.readFileSync(script, "utf-8"), {
    ...commands,
    newTrial,
    Template,
    PennController: { ResetPrefix: () => undefined },
    DebugOff: () => undefined,
    clear: () => "clear",
    GetTable: () => JSON.parse(table),
    GetURLParameter: (name) => `value of ${name}`,
    SetCounter: (label) => trials.push({ label, elements: [], log: {} }),
    SendResults: (label) => trials.push({ label, elements: [], log: {} }),
    Sequence: (...labels) => { sequence = labels; },
}, { filename: script });
console.log(JSON.stringify({ sequence, trials }));
