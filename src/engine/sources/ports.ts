import type { HostSource } from '../../drivers/host-source/host-source.ts';
import type { EnginePorts } from '../ports.ts';

/** A host source of the configuration. */
export interface ConfiguredSource {
  readonly name: string;
  readonly refreshMs: number;
  readonly source: HostSource;
}

export interface SourcePorts extends Pick<EnginePorts, 'store' | 'clock' | 'log'> {
  /** Every `os` that a host can have. */
  readonly systems: readonly string[];
}
