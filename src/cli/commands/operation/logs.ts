import type { Command } from 'commander';
import { Argument } from 'commander';
import { sanitizeLine, sanitizeText } from '../../../lib/sanitize.ts';
import { utcTime } from '../../../sdk/format.ts';
import { displayName } from '../../../sdk/host-progress.ts';
import type { ActionBuilder } from '../../actions.ts';
import { addCommand } from '../../actions.ts';
import { parseHost } from '../../input/host-arguments.ts';
import { resolveHost } from '../../resolve-hosts.ts';
import type { Session } from '../../session.ts';
import { findOperation, OPERATION } from './find-operation.ts';

/** All stored output of one host, or the last lines of all hosts. */
async function fetchOutput({ client }: Session, id: string, host: string | undefined) {
  if (host !== undefined) {
    const { address } = await resolveHost(client, host);
    const { body } = await client.getOperationHost({ id, address });
    return body.output.map(stepOutput => ({ host: body.address, hostname: body.hostname, ...stepOutput }));
  }
  const { body } = await client.getOperation({ id });
  return body.hosts.flatMap(({ address, hostname, output }) =>
    output.map(({ last_lines, ...stepOutput }) => ({ host: address, hostname, ...stepOutput, output: last_lines })),
  );
}

const ensureLineEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

async function logs(session: Session, { step }: { readonly step?: string }, text: string, host: string | undefined) {
  const { client, printer, terminal } = session;
  const { id } = await findOperation(client, text);
  const outputs = (await fetchOutput(session, id, host)).filter(entry => step === undefined || entry.step === step);
  if (!printer.isHumanReadable) return printer.printStructured(outputs, [id]);
  if (outputs.length === 0) return terminal.writeErr('No output is stored.\n');
  const sections = outputs.map(({ host: address, hostname, step: stepName, attempt, at, output }) => {
    const attemptText = attempt > 1 ? `, attempt ${attempt}` : '';
    const head = printer.colorize(
      `==> ${sanitizeLine(displayName({ address, hostname }))} ${stepName}${attemptText}, ${utcTime(at)} <==`,
      'bold',
    );
    return `${head}\n${ensureLineEnd(sanitizeText(Buffer.from(output)))}`;
  });
  terminal.writeOut(sections.join('\n'));
}

export function addLogsCommand(group: Command, cli: ActionBuilder): void {
  addCommand(
    group,
    'logs',
    'Print the output of commands: the last lines of all hosts, or all stored output of one host',
    OPERATION,
  )
    .addArgument(new Argument('[host]', 'Host address or hostname').argParser(parseHost))
    .option('--step <step>', 'Filter by step, for example stage or apply')
    .action(cli.withSession(logs));
}
