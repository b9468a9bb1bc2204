import { existsSync, writeFileSync } from 'node:fs';
import { stripKeyComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { CpuThrottle } from '../../../lib/concurrency.ts';
import { tryOr } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import type { TimerClock } from '../../../lib/time/clock.ts';
import { hostKeyChangedFailure } from '../host-keys.ts';
import { PendingCall } from '../pending-call.ts';
import type { CallLimits, Connection, Target } from '../transport.ts';
import type { PresentedKey } from './key-agent.ts';
import { KeyAgent } from './key-agent.ts';
import { OpenSshConnection } from './openssh-connection.ts';
import type { SigningKey } from './signing-key.ts';
import { parseSigningKey } from './signing-key.ts';
import { LOGGED_IN_LINE, masterArguments } from './ssh-arguments.ts';
import { isHostKeyRejection, sshNotStarted, toTransportFailure } from './ssh-errors.ts';
import { SshWorkDir } from './ssh-work-dir.ts';

const IDENTITY_FILE = /^identityfile (?!none$)(.+)$/im;
const PROXY = /^proxy(?:jump|command) (?!none$)/im;

// IdentityFile settings are cumulative: the command line cannot remove them, and ssh would offer the keys to the host.
/** Returns whether the host is reached through a jump host or a proxy command. */
function parseConfig(settings: string): boolean | TransportFailure {
  const file = IDENTITY_FILE.exec(settings)?.[1];
  if (file === undefined) return PROXY.test(settings);
  const detail = `openssh_config sets a key for this host (IdentityFile ${sanitizeLine(file)}): only jump hosts can have one`;
  return new TransportFailure('unreachable', detail);
}

function readConfig(workDir: SshWorkDir, args: readonly string[], user: string): Promise<boolean | TransportFailure> {
  let settings = '';
  return new Promise(resolve => {
    workDir.start(['-G', ...args], {
      onStdout: chunk => {
        settings += chunk;
      },
      onExit: exit =>
        resolve(exit.exitCode === 0 ? parseConfig(settings) : toTransportFailure(exit, { user, hasProxy: false })),
    });
  });
}

export interface OpenSshEnvironment {
  readonly configFile: string | undefined;
  readonly clock: TimerClock;
  readonly throttle: CpuThrottle;
  readonly tempFolder: string;
}

const LOGIN_WITHOUT_KEY = new TransportFailure(
  'auth_rejected',
  'login succeeded without the key: the host requires no authentication, or ssh on this server is older than OpenSSH 8.9',
);

export interface HostKeyRejection {
  readonly hasProxy: boolean;
}

type LoginResult = Connection | HostKeyRejection;

async function startMaster(
  call: PendingCall<LoginResult>,
  workDir: SshWorkDir,
  key: SigningKey,
  { target, timeoutMs, configFile, clock, throttle }: OpenSshEnvironment & { target: Target; timeoutMs: number },
): Promise<void> {
  const { user } = target;
  const knownKeys = target.hostKeys.map(stripKeyComment);
  const isTrusted = ({ line, isCertified }: PresentedKey) =>
    knownKeys.length === 0 || knownKeys.includes(line) || (isCertified && configFile !== undefined);
  const agent = new KeyAgent(key, host => isTrusted(host) && call.mayProceed());
  let connection: OpenSshConnection | undefined;
  call.onSettled(() => {
    agent.close();
    if (connection === undefined) workDir.dispose();
  });
  const [controlSocket, agentSocket] = [workDir.path('master'), workDir.path('agent')];
  const knownHosts = workDir.path('known_hosts');
  writeFileSync(knownHosts, knownKeys.map(line => `* ${line}\n`).join(''));
  const args = masterArguments({ target, configFile, timeoutMs }, { controlSocket, agentSocket, knownHosts });
  await agent.listen(agentSocket);
  if (call.isSettled) return;
  const hasProxy = configFile !== undefined && (await readConfig(workDir, args, user));
  if (hasProxy instanceof TransportFailure) return call.settle(hasProxy);
  if (!call.mayProceed()) return;
  const master = workDir.start(args, {
    onStderr() {
      // Standard error can contain text from the host, so the control socket must exist too.
      if (call.isSettled || !master.stderrTail.includes(LOGGED_IN_LINE) || !existsSync(controlSocket)) return;
      const hostKey = agent.presentedKey?.line;
      if (hostKey === undefined || !agent.hasSigned) return call.settle(LOGIN_WITHOUT_KEY);
      connection = new OpenSshConnection({ workDir, controlSocket, hostKey, user, clock, throttle });
      call.settle(connection);
    },
    onExit(exit) {
      const route = { user, hasProxy };
      const failure = toTransportFailure(exit, route);
      connection?.failAll(failure);
      const { presentedKey } = agent;
      if (presentedKey && !isTrusted(presentedKey)) call.settle(hostKeyChangedFailure(presentedKey.line));
      else call.settle(isHostKeyRejection(exit, route) ? { hasProxy } : failure);
    },
  });
}

export function login(
  target: Target,
  limits: CallLimits,
  environment: OpenSshEnvironment,
): Promise<LoginResult | TransportFailure> {
  return PendingCall.start<LoginResult>(environment.clock, limits, call => {
    const key = tryOr(undefined, () => parseSigningKey(target.privateKey));
    if (key === undefined) return call.settle(new TransportFailure('auth_rejected', 'the private key cannot be read'));
    const start = () => {
      const workDir = new SshWorkDir(environment.tempFolder);
      const parameters = { ...environment, target, timeoutMs: limits.timeoutMs };
      startMaster(call, workDir, key, parameters).catch(error => call.settle(sshNotStarted(error)));
    };
    environment.throttle.run(() => call.runIfAllowed(start));
  });
}
