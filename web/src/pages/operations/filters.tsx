import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { OPERATION_KINDS, OPERATION_STATUSES } from '#vocabulary';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { SelectField } from '../../ui/field.tsx';
import { wordsOf } from '../../ui/status.tsx';
import styles from './filters.module.css';
import type { OperationsSearch } from './search.ts';
import { readOperationsSearch } from './search.ts';

/** Which operations are shown; the address bar has it. */
export function Filters({ search }: { readonly search: OperationsSearch }) {
  const navigate = useNavigate({ from: '/operations' });
  const { data: clusters = [] } = useQuery({
    queryKey: keys.clusterNames,
    queryFn: ({ signal }) => answerOf(api.listClusters({ signal })),
  });
  const given = search.cluster;
  const names = given === undefined || clusters.includes(given) ? clusters : [given, ...clusters];
  const choices = [
    { name: 'cluster', label: 'Cluster', words: names },
    { name: 'kind', label: 'Kind', words: OPERATION_KINDS },
    { name: 'status', label: 'Status', words: OPERATION_STATUSES },
  ] as const;
  return (
    <div className={styles.filters} role="search" aria-label="Which operations are shown">
      {choices.map(({ name, label, words }) => (
        <SelectField
          key={name}
          label={label}
          value={search[name] ?? ''}
          onChange={event =>
            navigate({
              replace: true,
              search: readOperationsSearch({ ...search, [name]: event.target.value }),
            })
          }
        >
          <option value="">any</option>
          {words.map(word => (
            <option key={word} value={word}>
              {name === 'cluster' ? word : wordsOf(word)}
            </option>
          ))}
        </SelectField>
      ))}
    </div>
  );
}
