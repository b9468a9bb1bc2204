import type { EngineSettings } from '../../engine/ports.ts';
import { defineSetting, integerParser } from './setting.ts';

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
  limit_ssh_connections: defineSetting({
    help: 'Maximum number of connections to hosts. Health checks use at most half of them, tests of new credentials at most a twentieth',
    default: '200',
    parse: integerParser(MIN_SSH_CONNECTIONS, 10_000),
  }),
  limit_store_connections: defineSetting({
    help: 'Maximum number of connections from this server to PostgreSQL, in addition to one for notifications',
    default: '10',
    parse: integerParser(MIN_STORE_CONNECTIONS, 1000),
  }),
  ssh_connect_timeout_s: defineSetting({
    help: 'Timeout for connecting to a host, including the login, in seconds',
    default: '10',
    parse: integerParser(1, 300),
  }),
  first_contact_timeout_s: defineSetting({
    help: 'Seconds in which an enrolled host must become reachable; hosts can enrol before their sshd is up',
    default: '1800',
    parse: integerParser(1, 604_800),
  }),
  bootstrap_retry_s: defineSetting({
    help: 'Seconds to retry a failing bootstrap step on a reachable host before the bootstrap fails',
    default: '600',
    parse: integerParser(1, 604_800),
  }),
  limit_event_subscribers: defineSetting({
    help: 'Maximum number of event streams on this server',
    default: '5000',
    parse: integerParser(1, 100_000),
  }),
  limit_event_subscribers_per_account: defineSetting({
    help: 'Maximum number of event streams of one account on this server',
    default: '2000',
    parse: integerParser(1, 100_000),
  }),
  limit_event_buffer_bytes: defineSetting({
    help: 'Maximum number of unread bytes in an event stream; the server closes the stream if there are more',
    default: String(256 * 1024),
    parse: integerParser(1024, 1024 ** 3),
  }),
  limit_http_connections: defineSetting({
    help: 'Maximum number of client connections. One address, or one IPv6 network of 64 bits, can use half of them, unless trust_proxy is set',
    default: '10000',
    parse: integerParser(10, 1_000_000),
  }),
  limit_body_bytes: defineSetting({
    help: 'Maximum size of a request body, in bytes; most paths accept less',
    default: String(1024 * 1024),
    parse: integerParser(1024, 1024 ** 3),
  }),
  limit_members: defineSetting({
    help: 'Maximum number of addresses in one replacement of cluster members',
    default: '10000',
    parse: integerParser(1, 1_000_000),
  }),
  limit_bulk_hosts: defineSetting({
    help: 'Maximum number of hosts that one request can enrol; limit_body_bytes also applies',
    default: '1000',
    parse: integerParser(1, 100_000),
  }),
  limit_failed_logins: defineSetting({
    help: 'Maximum number of failed logins per minute from one network: an IPv4 address, or a /64 of IPv6',
    default: '100',
    parse: integerParser(1, 1_000_000),
  }),
  http_receive_timeout_s: defineSetting({
    help: 'Timeout for receiving a TLS handshake, and then the headers and body of a request, in seconds',
    default: '10',
    parse: integerParser(1, 3600),
  }),
  http_idle_timeout_s: defineSetting({
    help: 'Seconds after which the server disconnects a client that neither sends the rest of its request nor reads the response',
    default: '60',
    parse: integerParser(1, 3600),
  }),
};
