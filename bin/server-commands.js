/** Descriptions of the commands that run on the server machine; `src/server/main.ts` implements them. */
export const SERVER_COMMANDS = {
  serve: 'Run the server',
  demo: 'Run the server with 50 simulated hosts and temporary data',
  backup: 'Back up the embedded store, without the secret key; the server can keep running',
  restore: 'Restore the embedded store from a backup and pause its operations; stop the server first',
  doctor: 'Diagnose the server and its configuration, without changing anything',
  secrets: 'Manage the keys that encrypt stored secrets',
  admin: 'Administer the server from its own machine',
  'audit verify': 'Verify the integrity of the audit log; the server can keep running',
};
