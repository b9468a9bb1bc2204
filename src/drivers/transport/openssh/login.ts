import { existsSync, writeFileSync } from 'node:fs';
import { stripKeyComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { CpuThrottle } from '../../../lib/concurrency.ts';
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
import type { SshExit } from './ssh-process.ts';
import { SshWorkDir } from './ssh-work-dir.ts';

const IDENTITY_FILE = /^identityfile (?!none$)(.+)$/im;
const PROXY = /^proxy(?:jump|command) (?!none$)/im;

export interface SshConfig {
  /** Whether the host is reached through a jump host or a proxy command. */
  readonly hasProxy: boolean;
}

function parseConfig(settings: string): SshConfig | TransportFailure {
  const file = IDENTITY_FILE.exec(settings)?.[1];
  if (file === undefined) return { hasProxy: PROXY.test(settings) };
  const detail = `openssh_config sets a key for this host (IdentityFile ${sanitizeLine(file)}): only jump hosts can have one`;
  return new TransportFailure('unreachable', detail);
}

/**
 * Reads the effective ssh_config for one host. IdentityFile settings are cumulative, so the command line cannot remove
 * them and ssh would offer these keys to the host; such a configuration is rejected.
 */
export function readConfig(
  workDir: SshWorkDir,
  args: readonly string[],
  user: string,
): Promise<SshConfig | TransportFailure> {
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

export class HostKeyRejected {
  readonly hasProxy: boolean;

  constructor(hasProxy: boolean) {
    this.hasProxy = hasProxy;
  }
}

type LoginResult = Connection | HostKeyRejected;

class LoginAttempt {
  readonly #call: PendingCall<LoginResult>;
  readonly #target: Target;
  readonly #limits: CallLimits;
  readonly #environment: OpenSshEnvironment;
  readonly #workDir: SshWorkDir;
  readonly #agent: KeyAgent;
  #connection: OpenSshConnection | undefined;
  #hasProxy = false;

  constructor(
    call: PendingCall<LoginResult>,
    target: Target,
    limits: CallLimits,
    environment: OpenSshEnvironment,
    key: SigningKey,
  ) {
    this.#call = call;
    this.#target = target;
    this.#limits = limits;
    this.#environment = environment;
    this.#workDir = new SshWorkDir(environment.tempFolder);
    this.#agent = new KeyAgent(key, host => this.#maySign(host));
    call.onSettled(() => {
      this.#agent.close();
      if (this.#connection === undefined) this.#workDir.dispose();
    });
  }

  async start(): Promise<void> {
    const { configFile } = this.#environment;
    const [controlSocket, agentSocket] = [this.#workDir.path('master'), this.#workDir.path('agent')];
    const knownHosts = this.#workDir.path('known_hosts');
    writeFileSync(knownHosts, this.#target.hostKeys.map(key => `* ${stripKeyComment(key)}\n`).join(''));
    const parameters = { target: this.#target, configFile, timeoutMs: this.#limits.timeoutMs };
    const args = masterArguments(parameters, { controlSocket, agentSocket, knownHosts });
    await this.#agent.listen(agentSocket);
    if (this.#call.isSettled) return;
    if (configFile !== undefined) await this.#readConfig(args);
    if (!this.#call.mayProceed()) return;
    const master = this.#workDir.start(args, {
      onStderr: () => this.#onStderr(master.stderrTail, controlSocket),
      onExit: exit => this.#onExit(exit),
    });
  }

  async #readConfig(args: readonly string[]): Promise<void> {
    const config = await readConfig(this.#workDir, args, this.#target.user);
    if (config instanceof TransportFailure) this.#call.settle(config);
    else this.#hasProxy = config.hasProxy;
  }

  #maySign(host: PresentedKey): boolean {
    return this.#isTrusted(host) && this.#call.mayProceed();
  }

  #isTrusted({ line, isCertified }: PresentedKey): boolean {
    const known = this.#target.hostKeys.map(stripKeyComment);
    if (known.length === 0 || known.includes(line)) return true;
    return isCertified && this.#environment.configFile !== undefined;
  }

  #onStderr(stderr: string, controlSocket: string): void {
    // Standard error can contain text from the host, so the control socket must exist too.
    if (this.#call.isSettled || !stderr.includes(LOGGED_IN_LINE) || !existsSync(controlSocket)) return;
    const { presentedKey } = this.#agent;
    if (presentedKey === undefined || !this.#agent.hasSigned) {
      this.#call.settle(LOGIN_WITHOUT_KEY);
      return;
    }
    const [{ user }, { clock, throttle }] = [this.#target, this.#environment];
    const [workDir, hostKey] = [this.#workDir, presentedKey.line];
    this.#connection = new OpenSshConnection({ workDir, controlSocket, hostKey, user, clock, throttle });
    this.#call.settle(this.#connection);
  }

  #onExit(exit: SshExit): void {
    const route = { user: this.#target.user, hasProxy: this.#hasProxy };
    const failure = toTransportFailure(exit, route);
    this.#connection?.failAll(failure);
    const { presentedKey } = this.#agent;
    if (presentedKey && !this.#isTrusted(presentedKey)) this.#call.settle(hostKeyChangedFailure(presentedKey.line));
    else this.#call.settle(isHostKeyRejection(exit, route) ? new HostKeyRejected(this.#hasProxy) : failure);
  }
}

function readKey(target: Target): SigningKey | TransportFailure {
  try {
    return parseSigningKey(target.privateKey);
  } catch {
    return new TransportFailure('auth_rejected', 'the private key cannot be read');
  }
}

export function login(
  target: Target,
  limits: CallLimits,
  environment: OpenSshEnvironment,
): Promise<LoginResult | TransportFailure> {
  return PendingCall.start<LoginResult>(environment.clock, limits, call => {
    const key = readKey(target);
    if (key instanceof TransportFailure) return call.settle(key);
    const start = () => {
      const loginAttempt = new LoginAttempt(call, target, limits, environment, key);
      loginAttempt.start().catch(error => call.settle(sshNotStarted(error)));
    };
    environment.throttle.run(() => call.runIfAllowed(start));
  });
}
