// Faults of servers, of their links, of the store, of container managers and of HTTP responses. Faults of hosts are in
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
//
// Faults of a response of a simulated HTTP server, which `applyFault` in http/apply-fault.ts sends. An object is a response
// with another status, headers or body.
//
//     | fault             | effect                                               |
//     | ----------------- | ---------------------------------------------------- |
//     | hang_response     | there is no response                                 |
//     | cut_response      | the connection breaks before the response            |
//     | truncate_response | the connection breaks in the middle of the body      |
//     | garble_response   | the body is not JSON                                 |
//     | endless_response  | the body arrives slowly and never ends, after a 200  |

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

export type ResponseFault =
  | 'hang_response'
  | 'cut_response'
  | 'truncate_response'
  | 'garble_response'
  | 'endless_response'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text, or a value that is sent as JSON. Default: empty. */
      readonly body?: unknown;
    };

/** A server, a store or a container manager on which tests inject faults. */
export interface FaultTarget<Fault extends SystemFault | ManagerFault> {
  inject(fault: Fault): void | Promise<void>;
  /** Has no effect if the fault is not active. */
  revert(fault: Fault): void | Promise<void>;
}
