import { FEWEST_CONNECTIONS } from '../parts/connection-shares.ts';
import { setting } from './setting.ts';
import { integer } from './setting-values.ts';

/** Long lists may take three at once, and leave some to others. */
const FEWEST_STORE_CONNECTIONS = 5;

/** How much, how many and how long at most. */
export const limitSettings = {
  limit_connections: setting({
    help: 'The most connections to hosts at once; checks use at most half of them, new credentials that are tried a twentieth',
    default: '200',
    parse: integer(FEWEST_CONNECTIONS, 10_000),
  }),
  limit_store_connections: setting({
    help: 'The most connections of this server to PostgreSQL at once, beside one that it keeps for signals',
    default: '10',
    parse: integer(FEWEST_STORE_CONNECTIONS, 1000),
  }),
  limit_connect_s: setting({
    help: 'How many seconds a connection to a host may take to be made',
    default: '10',
    parse: integer(1, 300),
  }),
  limit_contact_s: setting({
    help: 'How many seconds a host that was enrolled may take until it can be reached; hosts may enrol before their sshd is up',
    default: '1800',
    parse: integer(1, 604_800),
  }),
  limit_retry_s: setting({
    help: 'How many seconds what fails on a host that was reached is tried again until its bootstrap is given up',
    default: '600',
    parse: integer(1, 604_800),
  }),
  limit_event_readers: setting({
    help: 'How many may read events at once on this server',
    default: '5000',
    parse: integer(1, 100_000),
  }),
  limit_account_event_readers: setting({
    help: 'How many of them one account may have, so that it leaves room for others',
    default: '2000',
    parse: integer(1, 100_000),
  }),
  limit_event_backlog_bytes: setting({
    help: 'Who reads events, and has left more than this unread, is cut off',
    default: String(256 * 1024),
    parse: integer(1024, 1024 ** 3),
  }),
  limit_http_connections: setting({
    help: 'The most connections of clients at once; one address, or one IPv6 network of 64 bits, may have half of them, unless trust_proxy is set',
    default: '10000',
    parse: integer(10, 1_000_000),
  }),
  limit_body_bytes: setting({
    help: 'The largest body of a request; most paths accept less',
    default: String(1024 * 1024),
    parse: integer(1024, 1024 ** 3),
  }),
  limit_members: setting({
    help: 'The most addresses in one replacement of cluster members',
    default: '10000',
    parse: integer(1, 1_000_000),
  }),
  limit_bulk_hosts: setting({
    help: 'The most hosts that one request enrols; limit_body_bytes bounds them as well',
    default: '1000',
    parse: integer(1, 100_000),
  }),
  limit_failed_logins: setting({
    help: 'How many logins may fail in a minute from one network: an IPv4 address, or a /64 of IPv6',
    default: '100',
    parse: integer(1, 1_000_000),
  }),
  limit_receive_s: setting({
    help: "How many seconds a TLS handshake, and then a request's headers and body, may take to arrive",
    default: '10',
    parse: integer(1, 3600),
  }),
  limit_idle_s: setting({
    help: 'After how many seconds a client is cut off that neither sends the rest of its request nor reads its answer',
    default: '60',
    parse: integer(1, 3600),
  }),
};
