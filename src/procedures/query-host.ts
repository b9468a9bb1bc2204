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

type HostQueryResult<T> = { readonly answer: T } | { readonly outcome: Outcome };

export const ROOT_QUERY_OPTIONS = { timeoutMs: QUERY_TIMEOUT_MS, asRoot: true };

/** `label` names the output in the problem when the output cannot be parsed. */
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
): Promise<HostQueryResult<boolean>> => queryAsRoot(connection, rebootRequired, 'the result of the reboot check');

export const UID_COMMAND: Argv = ['id', '-u'];

/** A login profile can print lines before the uid. */
const isRoot = ({ exitCode, stdout }: CommandResult): boolean =>
  exitCode === 0 && /^0\s*$/m.test(Buffer.from(stdout).toString('latin1'));

export function checkRoot(result: CommandResult): string | undefined {
  if (isRoot(result)) return undefined;
  const quote = lastLine(result.stderr);
  return `the user is not root and has no passwordless sudo${quote && `: ${quote}`}`;
}

export const UNSUPPORTED_OS = failed('unsupported_os: no driver supports this operating system');

export const findOsDriver = (
  { os }: Pick<StepContext, 'os'>,
  { osDriver }: Pick<Host, 'osDriver'>,
): OsDriver | undefined => os.drivers.find(candidate => candidate.type === osDriver);

export async function openHostManager({
  managerRecord,
  openManager,
}: Pick<StepContext, 'managerRecord' | 'openManager'>): Promise<ContainerManager | null> {
  const record = await managerRecord();
  return record && openManager(record);
}
