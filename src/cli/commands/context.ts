import type { Command } from 'commander';
import { usageProblem } from '../cli-problem.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { requireContextName } from '../contexts/context-name.ts';
import type { ContextView } from '../contexts/context-view.ts';
import { viewContext, viewContexts } from '../contexts/context-view.ts';
import type { Context, Contexts } from '../contexts/contexts-file.ts';
import { changeContexts, readContexts, without } from '../contexts/contexts-file.ts';
import type { Column } from '../output/table.ts';

const COLUMNS: readonly Column<ContextView>[] = [
  { header: '', of: ({ current }) => (current ? '*' : ''), style: () => 'good' },
  { header: 'NAME', of: ({ name }) => name },
  { header: 'SERVERS', of: ({ servers }) => servers.join(' '), isCuttable: true },
  { header: 'USER', of: ({ user }) => user },
  { header: 'CA FILE', of: ({ ca_file }) => ca_file ?? '', isWide: true },
];

function find({ all }: Contexts, name: string): Context {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  throw usageProblem(
    `the context ${name} does not exist (available: ${Object.keys(all).join(', ') || 'none'})`,
  );
}

async function list(cli: CommandLine, options: CommonOptions): Promise<void> {
  await cli.printer(options).list({
    rows: viewContexts(readContexts(cli.terminal.environment)),
    columns: COLUMNS,
    nameOf: ({ name }) => name,
    whenEmpty: 'No contexts found. Create one with: hostler login URL',
  });
}

async function show(cli: CommandLine, options: CommonOptions, wanted: string | undefined): Promise<void> {
  const contexts = readContexts(cli.terminal.environment);
  const name = wanted ?? options.context ?? contexts.current;
  if (name === undefined)
    throw usageProblem('there is no current context. Select one with: hostler context use NAME');
  const value = viewContext(name, find(contexts, name), name === contexts.current);
  await cli.printer(options).show({
    ...{ value, name },
    fields: [
      { label: 'name', text: name },
      { label: 'current', text: value.current ? 'yes' : 'no' },
      { label: 'servers', text: value.servers.join(' ') },
      { label: 'user', text: value.user },
      { label: 'ca file', text: value.ca_file ?? '' },
    ],
  });
}

async function use(cli: CommandLine, options: CommonOptions, name: string): Promise<void> {
  const contexts = readContexts(cli.terminal.environment);
  const context = find(contexts, name);
  changeContexts(cli.terminal.environment, now => ({ ...now, current: name }));
  await cli
    .printer(options)
    .done(`switched to context ${name}`, { value: viewContext(name, context, true), name });
}

async function remove(cli: CommandLine, options: CommonOptions & { readonly yes?: true }, name: string) {
  const { terminal } = cli;
  const contexts = readContexts(terminal.environment);
  find(contexts, name);
  await confirm(terminal, `Remove context ${name} and its password?`, options.yes);
  changeContexts(terminal.environment, now => without(now, name));
  await cli.printer(options).done(`context ${name} removed`, { value: [], name });
}

async function rename(cli: CommandLine, options: CommonOptions, from: string, to: string): Promise<void> {
  const { environment } = cli.terminal;
  const contexts = readContexts(environment);
  const context = find(contexts, from);
  requireContextName(to);
  if (Object.hasOwn(contexts.all, to)) throw usageProblem(`the context ${to} already exists`);
  const isCurrent = contexts.current === from;
  changeContexts(environment, ({ current, all }) => ({
    current: current === from ? to : current,
    all: Object.fromEntries(Object.entries(all).map(([name, each]) => [name === from ? to : name, each])),
  }));
  await cli.printer(options).done(`context ${from} renamed to ${to}`, {
    value: viewContext(to, context, isCurrent),
    name: to,
  });
}

export function addContextCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('context').description('Manage contexts: stored servers and accounts');
  const name = ['<context>', 'Context name'] as const;
  noun
    .command('list')
    .description('List contexts; * marks the current one')
    .action(cli.alone((options: CommonOptions) => list(cli, options)));
  noun
    .command('show')
    .description('Show a context, without its password')
    .argument('[context]', 'Context name (default: the current context)')
    .action(cli.alone((options: CommonOptions, wanted: string | undefined) => show(cli, options, wanted)));
  noun
    .command('use')
    .description('Switch to a context')
    .argument(...name)
    .action(cli.alone((options: CommonOptions, wanted: string) => use(cli, options, wanted)));
  noun
    .command('rename')
    .description('Rename a context')
    .argument(...name)
    .argument('<new-name>', 'New name')
    .action(cli.alone((options: CommonOptions, from: string, to: string) => rename(cli, options, from, to)));
  noun
    .command('remove')
    .description('Remove a context and its password')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.alone((options: CommonOptions, wanted: string) => remove(cli, options, wanted)));
}
