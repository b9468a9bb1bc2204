export interface QueueGroup {
  readonly name: string;
  /** Half of the slots are reserved for privileged groups. */
  readonly isPrivileged: boolean;
}

interface QueuedTask {
  readonly start: () => void;
  readonly reject: () => void;
}

/** The first group is next, and then moves to the end. */
class GroupQueue {
  readonly #groups = new Map<string, QueuedTask[]>();
  size = 0;

  lengthOf(group: string): number {
    return this.#groups.get(group)?.length ?? 0;
  }

  add(group: string, task: QueuedTask): void {
    const tasks = this.#groups.get(group);
    if (tasks) tasks.push(task);
    else this.#groups.set(group, [task]);
    this.size += 1;
  }

  next(): QueuedTask | undefined {
    const [front] = this.#groups;
    if (front === undefined) return undefined;
    const [group, tasks] = front;
    const task = tasks.shift();
    this.#groups.delete(group);
    if (tasks.length > 0) this.#groups.set(group, tasks);
    this.size -= 1;
    return task;
  }

  /** Rejects the newest task of the longest group, if that has more than `length` tasks. */
  evictNewest(length: number): boolean {
    const [longest, tasks] = [...this.#groups].reduce<[string, QueuedTask[]]>(
      (largest, entry) => (entry[1].length > largest[1].length ? entry : largest),
      ['', []],
    );
    if (tasks.length <= length) return false;
    tasks.pop()?.reject();
    if (tasks.length === 0) this.#groups.delete(longest);
    this.size -= 1;
    return true;
  }
}

/** Groups alternate: a group with many tasks delays another one by at most one task per slot. */
export class FairQueue {
  readonly #slots: number;
  readonly #maxWaiting: number;
  readonly #privileged = new GroupQueue();
  readonly #others = new GroupQueue();
  #running = 0;
  #othersRunning = 0;

  /** `maxWaiting` applies to privileged groups together, and to the others together. */
  constructor(slots: number, maxWaiting: number) {
    this.#slots = slots;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns `undefined` without running the task if too many tasks wait, in total or in this group. */
  async tryRun<T>(
    { name, isPrivileged }: QueueGroup,
    task: () => Promise<T>,
    maxWaitingOfGroup = this.#maxWaiting,
  ): Promise<T | undefined> {
    const queue = isPrivileged ? this.#privileged : this.#others;
    if (!this.#tryStart(isPrivileged)) {
      const length = queue.lengthOf(name);
      if (length >= maxWaitingOfGroup) return undefined;
      if (queue.size >= this.#maxWaiting && !queue.evictNewest(length + 1)) return undefined;
      const isStarted = await new Promise<boolean>(resolve =>
        queue.add(name, { start: () => resolve(true), reject: () => resolve(false) }),
      );
      if (!isStarted) return undefined;
    }
    try {
      return await task();
    } finally {
      this.#running -= 1;
      if (!isPrivileged) this.#othersRunning -= 1;
      this.#startNext();
    }
  }

  #tryStart(isPrivileged: boolean): boolean {
    if (this.#running >= this.#slots) return false;
    if (!isPrivileged && this.#othersRunning >= Math.max(1, Math.floor(this.#slots / 2))) return false;
    this.#running += 1;
    if (!isPrivileged) this.#othersRunning += 1;
    return true;
  }

  /** Others first: they are limited to half of the slots, but privileged groups could use all slots forever. */
  #startNext(): void {
    if (this.#others.size > 0 && this.#tryStart(false)) this.#others.next()?.start();
    else if (this.#privileged.size > 0 && this.#tryStart(true)) this.#privileged.next()?.start();
  }
}
