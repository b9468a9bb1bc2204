import { Authenticator } from '../../app/accounts/authenticator.ts';
import type { PasswordHasher } from '../../app/accounts/password-hasher.ts';
import { SessionLogins } from '../../app/accounts/sessions/session-logins.ts';
import type { Ports } from '../../app/ports.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Config } from '../configuration/settings.ts';
import type { LoginMeter } from '../metrics/login-metrics.ts';
import type { StartedEvents } from './start-events.ts';

interface Outside extends Pick<Ports, 'store' | 'clock'> {
  readonly hasher: PasswordHasher;
  readonly events: Pick<StartedEvents, 'loginRefused' | 'onAccountChanged' | 'onSessionEnded'>;
  readonly meter: LoginMeter;
}

export interface Logins {
  readonly authenticator: Authenticator;
  readonly sessionLogins: SessionLogins;
  /** What the use cases have of it. */
  readonly ports: Pick<Ports, 'hasher' | 'accountChanged' | 'sessions'>;
}

/** Starts what knows who calls, and forgets them when an account has changed or a session has ended, on whichever server. */
export async function startLogins(
  config: Config,
  { store, clock, hasher: unmeasured, events, meter }: Outside,
): Promise<Logins> {
  const hasher = meter.measuredHasher(unmeasured);
  const authenticator = await Authenticator.create({
    ...{ store, hasher, clock },
    failedLoginsPerMinute: config.limit_failed_logins,
    loginRefused: refused => {
      meter.loginRefused(refused.code);
      events.loginRefused(refused);
    },
  });
  const sessionLogins = new SessionLogins({ store, clock });
  const sessionsChanged = () => sessionLogins.changed();
  const accountChanged = (name: RecordName) => {
    authenticator.accountChanged(name);
    sessionsChanged();
  };
  events.onAccountChanged(accountChanged);
  events.onSessionEnded(sessionsChanged);
  const sessions = { lifetimeS: config.session_lifetime_s, changed: sessionsChanged };
  return { authenticator, sessionLogins, ports: { hasher, accountChanged, sessions } };
}
