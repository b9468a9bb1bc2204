/** What a container manager says of a node. */
export type NodeReport =
  | {
      readonly state: 'registered';
      /** The node's own name there. */
      readonly name: string;
      readonly ready: boolean;
      readonly schedulable: boolean;
      /** Of the boot that the rest is about; absent where the manager does not tell. */
      readonly bootId?: string;
      /** The mark of who cordoned it, empty when there is none. Absent when nobody has. */
      readonly cordonedBy?: string;
    }
  | { readonly state: 'unknown' }
  | { readonly state: 'unavailable'; readonly reason: string };

/** What came of one pass of a drain. */
export type DrainReport =
  | { readonly state: 'drained' }
  | { readonly state: 'draining'; readonly left: number; readonly detail: string }
  /** Something will not go without force. */
  | { readonly state: 'refused'; readonly detail: string };
