import type { EngineSettings } from '../../engine/ports.ts';
import { integerSetting } from './setting.ts';

/** Health checks never use the connections that tasks need. */
const HEALTH_CHECK_SHARE = 0.5;
/** Credential tests are rare. */
const CREDENTIAL_TEST_SHARE = 0.05;

/** One for tasks, one for health checks and one for credential tests. */
export const MIN_SSH_CONNECTIONS = 3;

/** The parts add up to the limit. */
export function splitConnectionLimit(
  limit: number,
): Pick<EngineSettings, 'maxChecks' | 'maxCredentialTests' | 'maxTasks'> {
  const share = (fraction: number) => Math.max(1, Math.floor(limit * fraction));
  const [maxChecks, maxCredentialTests] = [share(HEALTH_CHECK_SHARE), share(CREDENTIAL_TEST_SHARE)];
  return { maxChecks, maxCredentialTests, maxTasks: limit - maxChecks - maxCredentialTests };
}

/** Lists can use three connections at once. The rest is for other requests. */
const MIN_STORE_CONNECTIONS = 5;

export const limitSettings = {
  limit_ssh_connections: integerSetting(
    { default: 200, min: MIN_SSH_CONNECTIONS, max: 10_000 },
    'Maximum number of connections to hosts. Health checks use at most half of them, tests of new credentials at most a twentieth',
  ),
  limit_store_connections: integerSetting(
    { default: 10, min: MIN_STORE_CONNECTIONS, max: 1000 },
    'Maximum number of connections from this server to PostgreSQL, in addition to one for notifications',
  ),
  ssh_connect_timeout_s: integerSetting(
    { default: 10, min: 1, max: 300 },
    'Timeout for connecting to a host, including the login, in seconds',
  ),
  first_contact_timeout_s: integerSetting(
    { default: 1800, min: 1, max: 604_800 },
    'Seconds in which an enrolled host must become reachable; hosts can enrol before their sshd is up',
  ),
  bootstrap_retry_s: integerSetting(
    { default: 600, min: 1, max: 604_800 },
    'Seconds to retry a failing bootstrap step on a reachable host before the bootstrap fails',
  ),
  limit_event_subscribers: integerSetting(
    { default: 5000, min: 1, max: 100_000 },
    'Maximum number of event streams on this server. One account can use 40 % of them',
  ),
  limit_http_connections: integerSetting(
    { default: 10_000, min: 10, max: 1_000_000 },
    'Maximum number of client connections. One address, or one IPv6 network of 64 bits, can use half of them, unless trust_proxy is set',
  ),
  limit_body_bytes: integerSetting(
    { default: 1024 * 1024, min: 1024, max: 1024 ** 3 },
    'Maximum size of a request body, in bytes; most paths accept less',
  ),
  limit_members: integerSetting(
    { default: 10_000, min: 1, max: 1_000_000 },
    'Maximum number of addresses in one replacement of cluster members',
  ),
  limit_failed_logins: integerSetting(
    { default: 100, min: 1, max: 1_000_000 },
    'Maximum number of failed logins per minute from one network: an IPv4 address, or a /64 of IPv6',
  ),
  http_receive_timeout_s: integerSetting(
    { default: 10, min: 1, max: 3600 },
    'Timeout for receiving a TLS handshake, and then the headers and body of a request, in seconds',
  ),
  http_idle_timeout_s: integerSetting(
    { default: 60, min: 1, max: 3600 },
    'Seconds after which the server disconnects a client that neither sends the rest of its request nor reads the response',
  ),
};
