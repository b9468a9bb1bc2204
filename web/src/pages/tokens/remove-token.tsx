import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notice } from '../../ui/notices.tsx';

export function RemoveToken({ name }: { readonly name: string }) {
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await api.removeToken({ name });
    notice(`Enrolment token ${name} removed`);
  };
  return (
    <>
      <Button
        size="small"
        kind="danger"
        aria-label={`Remove enrolment token ${name}`}
        onClick={() => setAsked(true)}
      >
        Remove
      </Button>
      <Confirm
        title={`Remove enrolment token ${name}?`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>Hosts can no longer enrol with this token. Hosts that are already enrolled are not affected.</p>
      </Confirm>
    </>
  );
}
