import { existsSync, writeFileSync } from 'node:fs';
import { withoutComment } from '../../../domain/hosts/host-key.ts';
import { TransportFailure } from '../../../domain/transport-failure.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import type { Turnstile } from '../../../lib/turns/turnstile.ts';
import { Attempt } from '../attempt.ts';
import { hostKeyChanged } from '../host-key-changed.ts';
import type { Connection, Limits, Target } from '../transport.ts';
import { failureOf, isAboutHostKey, notStarted } from './failure-of.ts';
import { KeyAgent } from './key-agent.ts';
import { OpenSshConnection } from './openssh-connection.ts';
import { readConfig } from './read-config.ts';
import type { ShownKey } from './shown-key.ts';
import type { SigningKey } from './signing-key.ts';
import { signingKey } from './signing-key.ts';
import { HAS_ENTERED, masterArguments } from './ssh-arguments.ts';
import type { SshEnd } from './ssh-process.ts';
import { Workplace } from './workplace.ts';

export interface Surroundings {
  readonly configFile: string | undefined;
  readonly clock: AlarmClock;
  readonly turns: Turnstile;
  readonly tempFolder: string;
}

const NOT_BY_KEY = new TransportFailure(
  'auth_rejected',
  'login succeeded without the key: the host requires no authentication, or ssh on this server is older than OpenSSH 8.9',
);

/** ssh has refused the key that the host shows; and whether that is reached through a jump host. */
export class KeyRefused {
  readonly hasProxy: boolean;

  constructor(hasProxy: boolean) {
    this.hasProxy = hasProxy;
  }
}

type Answer = Connection | KeyRefused;

/** One try to be let in. */
class LoginAttempt {
  readonly #attempt: Attempt<Answer>;
  readonly #target: Target;
  readonly #limits: Limits;
  readonly #surroundings: Surroundings;
  readonly #place: Workplace;
  readonly #agent: KeyAgent;
  #connection: OpenSshConnection | undefined;
  #hasProxy = false;

  constructor(
    attempt: Attempt<Answer>,
    target: Target,
    limits: Limits,
    surroundings: Surroundings,
    key: SigningKey,
  ) {
    this.#attempt = attempt;
    this.#target = target;
    this.#limits = limits;
    this.#surroundings = surroundings;
    this.#place = new Workplace(surroundings.tempFolder);
    this.#agent = new KeyAgent(key, host => this.#maySign(host));
    attempt.onceOver(() => {
      this.#agent.close();
      if (this.#connection === undefined) this.#place.clear();
    });
  }

  async begin(): Promise<void> {
    const { configFile } = this.#surroundings;
    const [controlSocket, agentSocket] = [this.#place.at('master'), this.#place.at('agent')];
    const knownHosts = this.#place.at('known_hosts');
    writeFileSync(knownHosts, this.#target.hostKeys.map(key => `* ${withoutComment(key)}\n`).join(''));
    const way = { target: this.#target, configFile, timeoutMs: this.#limits.timeoutMs };
    const args = masterArguments(way, { controlSocket, agentSocket, knownHosts });
    await this.#agent.listen(agentSocket);
    if (this.#attempt.isOver) return;
    if (configFile !== undefined) await this.#readConfig(args);
    if (!this.#attempt.mayProceed()) return;
    const master = this.#place.start(args, {
      onStderr: () => this.#hear(master.said, controlSocket),
      onEnd: end => this.#ended(end),
    });
  }

  async #readConfig(args: readonly string[]): Promise<void> {
    const config = await readConfig(this.#place, args, this.#target.user);
    if (config instanceof TransportFailure) this.#attempt.settle(config);
    else this.#hasProxy = config.hasProxy;
  }

  #maySign(host: ShownKey): boolean {
    return this.#isRight(host) && this.#attempt.mayProceed();
  }

  #isRight({ line, isCertified }: ShownKey): boolean {
    const known = this.#target.hostKeys.map(withoutComment);
    if (known.length === 0 || known.includes(line)) return true;
    return isCertified && this.#surroundings.configFile !== undefined;
  }

  #hear(said: string, controlSocket: string): void {
    // Part of what ssh says may be words of others; that there is a socket is not.
    if (this.#attempt.isOver || !said.includes(HAS_ENTERED) || !existsSync(controlSocket)) return;
    const { shown } = this.#agent;
    if (shown === undefined || !this.#agent.hasSigned) {
      this.#attempt.settle(NOT_BY_KEY);
      return;
    }
    const [{ user }, { clock, turns }] = [this.#target, this.#surroundings];
    const [place, hostKey] = [this.#place, shown.line];
    this.#connection = new OpenSshConnection({ place, controlSocket, hostKey, user, clock, turns });
    this.#attempt.settle(this.#connection);
  }

  #ended(end: SshEnd): void {
    const route = { user: this.#target.user, hasProxy: this.#hasProxy };
    const failure = failureOf(end, route);
    this.#connection?.fail(failure);
    const { shown } = this.#agent;
    if (shown && !this.#isRight(shown)) this.#attempt.settle(hostKeyChanged(shown.line));
    else this.#attempt.settle(isAboutHostKey(end, route) ? new KeyRefused(this.#hasProxy) : failure);
  }
}

function readKey(target: Target): SigningKey | TransportFailure {
  try {
    return signingKey(target.privateKey);
  } catch {
    return new TransportFailure('auth_rejected', 'the private key cannot be read');
  }
}

/** Connects, has the host's key checked and logs in. */
export function logIn(
  target: Target,
  limits: Limits,
  surroundings: Surroundings,
): Promise<Answer | TransportFailure> {
  return Attempt.within<Answer>(surroundings.clock, limits, attempt => {
    const key = readKey(target);
    if (key instanceof TransportFailure) return attempt.settle(key);
    const begin = () => {
      const login = new LoginAttempt(attempt, target, limits, surroundings, key);
      login.begin().catch(error => attempt.settle(notStarted(error)));
    };
    surroundings.turns.pass(() => attempt.proceed(begin));
  });
}
