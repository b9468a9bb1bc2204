import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { SelectField } from '../ui/forms/field.tsx';
import { ProblemBox } from '../ui/problem-box.tsx';

/** What a cluster is set to. */
export interface ClusterSettings {
  readonly network: string;
  /** Empty: none. */
  readonly container_manager: string;
}

interface SettingsFieldsProps {
  readonly settings: ClusterSettings;
  readonly onChange: (settings: ClusterSettings) => void;
}

const Options = ({ names }: { readonly names: readonly string[] }) =>
  names.map(name => (
    <option key={name} value={name}>
      {name}
    </option>
  ));

/** Networks and container managers that there are, to choose from. */
export function SettingsFields({ settings, onChange }: SettingsFieldsProps) {
  const networks = useQuery({ queryKey: keys.networks, queryFn: () => answerOf(api.listNetworks()) });
  const managers = useQuery({
    queryKey: keys.containerManagers,
    queryFn: () => answerOf(api.listContainerManagers()),
  });
  const names = new Set([settings.network, ...(networks.data ?? [])]);
  return (
    <>
      <SelectField
        label="Network"
        hint="Network that hosts join."
        value={settings.network}
        onChange={event => onChange({ ...settings, network: event.target.value })}
      >
        <Options names={[...names]} />
      </SelectField>
      <SelectField
        label="Container manager"
        hint="Container manager that hosts become nodes of."
        value={settings.container_manager}
        onChange={event => onChange({ ...settings, container_manager: event.target.value })}
      >
        <option value="">None</option>
        <Options names={managers.data ?? []} />
      </SelectField>
      <ProblemBox problem={networks.error ?? managers.error} />
    </>
  );
}
