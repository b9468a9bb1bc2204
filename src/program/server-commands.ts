/** What only runs where the service does; `src/server/commands/` has the commands themselves. */
export const SERVER_COMMANDS = {
  serve: 'run the service',
  demo: 'run the service with fifty pretend hosts, to look at; keeps nothing',
  backup: 'copy the embedded store into a file, while the service runs; without the secret key',
  restore: 'bring the embedded store back from a backup, with operations paused; the service must be stopped',
  doctor: 'find out what is wrong where the service runs, and what to do; changes nothing',
  secrets: 'the keys that stored secrets are encrypted with',
  admin: "what only the server's own machine may do",
  'audit verify': 'find out whether the log is as it was written; works while the service runs',
} as const;
