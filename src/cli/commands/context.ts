import type { Command } from 'commander';
import { Argument } from 'commander';
import type { ActionBuilder, CommonOptions, YesOption } from '../actions.ts';
import { addCommand, yesOption } from '../actions.ts';
import { findContext, readContexts, removeContext, updateContexts } from '../contexts/contexts-file.ts';
import { requireContextName, toContextView } from '../contexts/resolve-context.ts';
import { usageError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import type { Column } from '../output/table.ts';
import type { LocalSession } from '../session.ts';

const COLUMNS: readonly Column<ReturnType<typeof toContextView>>[] = [
  { header: '', value: ({ current }) => (current ? '*' : ''), style: () => 'success' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'SERVERS', value: ({ servers }) => servers.join(' '), isTruncatable: true },
  { header: 'USER', value: ({ user }) => user },
  { header: 'CA FILE', value: ({ ca_file }) => ca_file ?? '', isWideOnly: true },
];

async function list({ terminal, printer }: LocalSession): Promise<void> {
  const { current, all } = readContexts(terminal.environment);
  await printer.printList({
    rows: Object.entries(all)
      .map(([name, context]) => toContextView(name, context, name === current))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    columns: COLUMNS,
    getName: ({ name }) => name,
    emptyMessage: 'No contexts found. Create one with: hostler login URL',
  });
}

async function show({ terminal, printer }: LocalSession, options: CommonOptions, requestedName: string | undefined) {
  const contexts = readContexts(terminal.environment);
  const name = requestedName ?? options.context ?? contexts.current;
  if (name === undefined) throw usageError('there is no current context. Select one with: hostler context use NAME');
  const value = toContextView(name, findContext(contexts, name), name === contexts.current);
  await printer.printRecord(value, name, [
    ['name', name],
    ['current', value.current ? 'yes' : 'no'],
    ['servers', value.servers.join(' ')],
    ['user', value.user],
    ['ca file', value.ca_file ?? ''],
  ]);
}

async function use({ terminal, printer }: LocalSession, _options: object, name: string): Promise<void> {
  const context = findContext(readContexts(terminal.environment), name);
  updateContexts(terminal.environment, saved => ({ ...saved, current: name }));
  await printer.printResult(`switched to context ${name}`, toContextView(name, context, true), name);
}

async function remove({ terminal, printer }: LocalSession, { yes }: YesOption, name: string): Promise<void> {
  findContext(readContexts(terminal.environment), name);
  await confirm(terminal, `Remove context ${name} and its password?`, yes);
  updateContexts(terminal.environment, saved => removeContext(saved, name));
  await printer.printResult(`context ${name} removed`, [], name);
}

async function rename({ terminal, printer }: LocalSession, _options: object, from: string, to: string): Promise<void> {
  const { environment } = terminal;
  const contexts = readContexts(environment);
  const context = findContext(contexts, from);
  requireContextName(to);
  if (Object.hasOwn(contexts.all, to)) throw usageError(`the context ${to} already exists`);
  updateContexts(environment, ({ current, all }) => ({
    current: current === from ? to : current,
    all: Object.fromEntries(Object.entries(all).map(([name, entry]) => [name === from ? to : name, entry])),
  }));
  const value = toContextView(to, context, contexts.current === from);
  await printer.printResult(`context ${from} renamed to ${to}`, value, to);
}

const CONTEXT = new Argument('<context>', 'Context name');

export function addContextCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'context', 'Manage contexts: stored servers and accounts');
  addCommand(group, 'list', 'List contexts; * marks the current one').action(cli.withoutSession(list));
  addCommand(group, 'show', 'Show a context, without its password')
    .argument('[context]', 'Context name (default: the current context)')
    .action(cli.withoutSession(show));
  addCommand(group, 'use', 'Switch to a context', CONTEXT).action(cli.withoutSession(use));
  addCommand(group, 'rename', 'Rename a context', CONTEXT)
    .argument('<new-name>', 'New name')
    .action(cli.withoutSession(rename));
  addCommand(group, 'remove', 'Remove a context and its password', CONTEXT)
    .addOption(yesOption())
    .action(cli.withoutSession(remove));
}
