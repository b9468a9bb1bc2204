import { Authenticator } from '../../app/auth/authenticator.ts';
import { LoginCache } from '../../app/auth/login-cache.ts';
import type { PasswordHasher } from '../../app/auth/password-hasher.ts';
import { SessionAuthenticator } from '../../app/auth/session-authenticator.ts';
import type { Ports } from '../../app/ports.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Config } from '../configuration/settings.ts';
import type { LoginMetrics } from '../metrics/http-metrics.ts';
import type { EventServices } from './start-events.ts';

interface AuthenticationPorts extends Pick<Ports, 'store' | 'clock'> {
  readonly hasher: PasswordHasher;
  readonly events: Pick<EventServices, 'recordRejectedLogin' | 'onAccountChanged' | 'onSessionEnded'>;
  readonly metrics: LoginMetrics;
}

export interface Authentication {
  readonly authenticator: Authenticator;
  readonly sessionAuthenticator: SessionAuthenticator;
  readonly ports: Pick<Ports, 'hasher' | 'invalidateAccount' | 'sessions'>;
}

/** Starts the authenticators. Their cache drops entries when an account changes or a session ends on any server. */
export async function startAuthentication(
  config: Config,
  { store, clock, hasher: plainHasher, events, metrics }: AuthenticationPorts,
): Promise<Authentication> {
  const hasher = metrics.measuredHasher(plainHasher);
  const cache = new LoginCache(clock);
  const authenticator = await Authenticator.create({
    cache,
    store,
    hasher,
    clock,
    failedLoginsPerMinute: config.limit_failed_logins,
    recordRejectedLogin: rejection => {
      metrics.loginRejected(rejection.code);
      events.recordRejectedLogin(rejection);
    },
  });
  const sessionAuthenticator = new SessionAuthenticator({ store, cache });
  const sessionsChanged = () => cache.invalidateSessions();
  const invalidateAccount = (name: RecordName) => cache.invalidateAccount(name);
  events.onAccountChanged(invalidateAccount);
  events.onSessionEnded(sessionsChanged);
  const sessions = { lifetimeS: config.session_lifetime_s, invalidate: sessionsChanged };
  return { authenticator, sessionAuthenticator, ports: { hasher, invalidateAccount, sessions } };
}
