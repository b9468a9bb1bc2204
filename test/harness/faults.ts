// Faults of servers, of their links, of the store and of container managers. Faults of hosts are in
// src/simulator/faults.ts.
//
//     | fault         | effect                                                        | reverted by                     |
//     | ------------- | ------------------------------------------------------------- | ------------------------------- |
//     | kill_server   | the server ends at once, as with SIGKILL                      | a start                         |
//     | stop_server   | the server shuts down, as with SIGTERM                        | a start                         |
//     | freeze_server | the server is suspended, as with SIGSTOP                      | resuming it                     |
//     | cut_store     | connections of the server to the store break, new ones fail   | accepting connections           |
//     | stall_store   | connections to the store stay open and transfer nothing       | transferring what was held back |
//     | cut_hosts     | connections of the server to all hosts break, new ones fail   | accepting connections           |
//     | stall_hosts   | connections to all hosts stay open and transfer nothing       | transferring what was held back |
//     | stop_store    | PostgreSQL ends all sessions and shuts down                   | a start                         |
//     | kill_store    | PostgreSQL ends at once                                       | a start with crash recovery     |
//     | fail_manager  | calls of a container manager throw and have no effect         | accepting calls                 |
//     | hang_manager  | calls of a container manager never return and have no effect  | accepting new calls             |
//
// Faults of one commit of a simulated server:
//
//     | fault         | effect                                                                                         |
//     | ------------- | ---------------------------------------------------------------------------------------------- |
//     | crash_before  | the server ends, and the store rolls the transaction back                                      |
//     | crash_after   | the server ends, and the store has committed the transaction                                   |
//     | lose_response | the store has committed the transaction, and the connection breaks before the server knows it  |

/** Of chaos tests. Random plans select a fault by its index: another order changes the plan of each seed. */
export const SYSTEM_FAULTS = [
  ...(['kill_server', 'stop_server', 'freeze_server'] as const),
  ...(['cut_store', 'stall_store', 'cut_hosts', 'stall_hosts'] as const),
  ...(['stop_store', 'kill_store'] as const),
];

export type SystemFault = (typeof SYSTEM_FAULTS)[number];
/** Chaos tests run without container managers. */
export type ManagerFault = 'fail_manager' | 'hang_manager';
export type StoreFault = Extract<SystemFault, 'stop_store' | 'kill_store'>;
export type ServerFault = Exclude<SystemFault, StoreFault>;

export const isStoreFault = (fault: SystemFault): fault is StoreFault =>
  fault === 'stop_store' || fault === 'kill_store';

export const CRASHES = ['crash_before', 'crash_after'] as const;
export const COMMIT_FAULTS = [...CRASHES, 'lose_response'] as const;
export type CommitFault = (typeof COMMIT_FAULTS)[number];

/** A server, a store or a container manager on which tests inject faults. */
export interface FaultTarget<Fault extends SystemFault | ManagerFault> {
  inject(fault: Fault): void | Promise<void>;
  /** Has no effect if the fault is not active. */
  revert(fault: Fault): void | Promise<void>;
}
