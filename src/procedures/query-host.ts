import type { Argv, CommandResult, HostQuery } from '../domain/command.ts';
import type { Host } from '../domain/hosts/host.ts';
import { TransportFailure } from '../domain/transport-failure.ts';
import type { ContainerManager } from '../drivers/container-manager/container-manager.ts';
import type { OsDriver } from '../drivers/os/os-driver.ts';
import { lastLine } from '../lib/sanitize.ts';
import type { OnScriptError } from './outcomes.ts';
import { failed, failOnScriptError, fromTransportFailure, retry } from './outcomes.ts';
import { QUERY_TIMEOUT_MS } from './retry-policies.ts';
import { ScriptError } from './script-error.ts';
import type { HostConnection, Outcome, StepContext } from './step.ts';

/** What the host answers, or what follows for the step when it does not. */
type HostQueryResult<T> = { readonly answer: T } | { readonly outcome: Outcome };

export const ROOT_QUERY_OPTIONS = { timeoutMs: QUERY_TIMEOUT_MS, asRoot: true };

/** Asks something of a host that it answers to root. `about` says what makes no sense, where its answer does not. */
export async function queryAsRoot<T>(
  connection: HostConnection,
  hostQuery: HostQuery<T | ScriptError>,
  label: string,
  onFailure: (failure: TransportFailure) => Outcome = fromTransportFailure,
  onScriptError: OnScriptError = failOnScriptError,
): Promise<HostQueryResult<T>> {
  const answer = await connection.query(hostQuery, ROOT_QUERY_OPTIONS);
  if (answer instanceof TransportFailure) return { outcome: onFailure(answer) };
  if (answer instanceof ScriptError) return { outcome: onScriptError(answer) };
  return answer === undefined ? { outcome: retry(`unexpected_output: cannot parse ${label}`) } : { answer };
}

export const REBOOT_STATE_LABEL = 'the reboot state of the host';
export const DEPLOYMENTS_LABEL = 'the versions of the host';

export const queryRebootRequired = (
  connection: HostConnection,
  { rebootRequired }: OsDriver,
): Promise<HostQueryResult<boolean>> =>
  queryAsRoot(connection, rebootRequired, 'the result of the reboot check');

/** Asked with the rights of root. */
export const UID_COMMAND: Argv = ['id', '-u'];

/** Whether the answer says that those were given, whatever a profile says before it. */
const isRoot = ({ exitCode, stdout }: CommandResult): boolean =>
  exitCode === 0 && /^0\s*$/m.test(Buffer.from(stdout).toString('latin1'));

/** Why we are not root, when the answer says so; what sudo complained of is quoted. */
export function checkRoot(result: CommandResult): string | undefined {
  if (isRoot(result)) return undefined;
  const quote = lastLine(result.stderr);
  return `the user is not root and has no passwordless sudo${quote && `: ${quote}`}`;
}

export const UNSUPPORTED_OS = failed('unsupported_os: no driver supports this operating system');

/** The driver of a host's system; `undefined` where none can handle it. */
export const findOsDriver = (
  { os }: Pick<StepContext, 'os'>,
  { osDriver }: Pick<Host, 'osDriver'>,
): OsDriver | undefined => os.drivers.find(candidate => candidate.type === osDriver);

/** The container manager of the host's cluster; null: it has none. */
export async function openHostManager({
  managerRecord,
  openManager,
}: Pick<StepContext, 'managerRecord' | 'openManager'>): Promise<ContainerManager | null> {
  const record = await managerRecord();
  return record && openManager(record);
}
