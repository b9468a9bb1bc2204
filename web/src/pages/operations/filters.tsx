import { useNavigate } from '@tanstack/react-router';
import { OPERATION_KINDS, RECORD_STATUSES } from '#vocabulary';
import { ClusterSelect } from '../../clusters/cluster-select.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { statusLabel } from '../../ui/words/status-words.ts';
import styles from './filters.module.css';
import type { OperationsSearch } from './search.ts';
import { readOperationsSearch } from './search.ts';

const CHOICES = [
  { name: 'kind', label: 'Kind', words: OPERATION_KINDS },
  { name: 'status', label: 'Status', words: RECORD_STATUSES },
] as const;

/** Which operations are shown; the address bar has it. */
export function Filters({ search }: { readonly search: OperationsSearch }) {
  const navigate = useNavigate({ from: '/operations' });
  const change = (more: Record<string, unknown>) =>
    navigate({ replace: true, search: readOperationsSearch({ ...search, ...more }) });
  return (
    <div className={styles.filters} role="search" aria-label="Filter operations">
      <ClusterSelect
        label="Cluster"
        none="Any"
        chosen={search.cluster}
        value={search.cluster ?? ''}
        onChange={({ target }) => change({ cluster: target.value })}
      />
      {CHOICES.map(({ name, label, words }) => (
        <SelectField
          key={name}
          label={label}
          value={search[name] ?? ''}
          onChange={({ target }) => change({ [name]: target.value })}
        >
          <option value="">Any</option>
          {words.map(word => (
            <option key={word} value={word}>
              {statusLabel(word)}
            </option>
          ))}
        </SelectField>
      ))}
    </div>
  );
}
