/**
 * What PostgreSQL keeps to on each connection of ours, in milliseconds but for keepalives, which are in seconds. What must hold: a
 * server that froze inside a transaction loses it, and with it its locks, before whoever waits for them gives up; and all of it is
 * much shorter than a lease.
 */
const SETTINGS = {
  idle_in_transaction_session_timeout: 3000,
  lock_timeout: 4000,
  statement_timeout: 5000,
  // A machine that vanished says nothing any more: its connections are closed after 25 s, or 10 s after something was sent to it.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
};

/** Where to connect, and the settings as the parameter `options`. What the URL asks for itself comes later, and wins. */
export function withSettings(url: string): { readonly connectionString: string; readonly options: string } {
  const ours = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  const located = new URL(url);
  const theirs = located.searchParams.get('options');
  if (theirs === null) return { connectionString: url, options: ours.join(' ') };
  located.searchParams.delete('options');
  return { connectionString: located.href, options: [...ours, theirs].join(' ') };
}
