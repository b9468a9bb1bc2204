pragma foreign_keys = off;
begin;
CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
CREATE TABLE data_keys (
        position integer primary key,
        id text not null unique,
        wrapped text not null
      );
CREATE TABLE accounts (
        name text primary key,
        role text not null,
        password_hash text not null,
        revision text not null,
        created_at text not null,
        changed_at text not null
      );
CREATE TABLE driver_records (
        kind text not null,
        name text not null,
        type text not null,
        options_json text not null,
        sealed_options_json text not null,
        revision text not null,
        primary key (kind, name)
      );
CREATE TABLE driver_memory (
        scope text not null,
        key text not null,
        value text not null,
        primary key (scope, key)
      );
CREATE TABLE clusters (
        name text primary key,
        network text not null,
        container_manager text,
        revision text not null
      );
CREATE TABLE work (
        id integer primary key autoincrement,
        kind text not null,
        host text not null,
        enrolment text not null,
        details_json text not null,
        saved_at text not null
      , progress_json text not null default '{}', due_at bigint not null default 0, operation text);
CREATE TABLE outbox (
        id integer primary key autoincrement,
        type text not null,
        subject text not null,
        actor text not null,
        address text not null,
        request_id text not null,
        at text not null,
        cluster text,
        host text,
        data_json text not null
      , operation text);
CREATE TABLE "hosts" (
    address text primary key,
    sort_key text not null unique,
    enrolment text not null,
    status text not null,
    reason text not null,
    os text not null,
    cpus integer not null,
    memory_kib bigint not null,
    space_kib bigint not null,
    last_check text not null,
    source text not null,
    cluster text references clusters (name),
    listed_json text not null generated always as (
  '{"address":"' || address || '","status":"' || status || '","os":"' || os || '","cpus":' || cast(cpus as text) ||
  ',"memory":' || cast(memory_kib as text) || ',"space":' || cast(space_kib as text) ||
  ',"last_check":"' || last_check || '"}') stored
  , hostname text not null default '', boot_id text not null default '', os_driver text not null default '', registered_with text, in_maintenance integer not null default 0, maintenance_reason text not null default '', own_facts_json text, told_facts_json text, told_at bigint, is_told integer not null default 0, checks text not null default '');
CREATE TABLE "host_access" (
    host text primary key references "hosts" (address),
    remote_user text not null,
    ssh_port integer not null,
    ssh_priv_key text not null,
    host_keys_json text not null
  , offered_host_key text, transport text not null default '', enrolled_by text);
CREATE TABLE service_identity (
      id integer primary key check (id = 1),
      public_key text not null,
      private_key text not null
    );
CREATE TABLE host_labels (
        host text not null references hosts (address),
        key text not null,
        value text not null,
        primary key (host, key)
      );
CREATE TABLE servers (
        incarnation text primary key,
        alive_until bigint not null
      , boot_id text not null default '');
CREATE TABLE agenda (
        host text primary key,
        phase integer not null,
        work_due_at bigint,
        check_due_at bigint,
        facts_due_at bigint not null default 0,
        failures integer not null default 0,
        owner text,
        fence bigint not null default 0
      );
CREATE TABLE operations (
        number integer primary key autoincrement,
        id text not null unique,
        kind text not null,
        cluster text not null,
        version text not null,
        policy_json text not null,
        wish_json text not null,
        state text not null,
        pause text,
        problem text not null default '',
        planned integer not null,
        forgiven_failures integer not null default 0,
        waiting_since bigint,
        ignored_json text not null default '[]',
        started_by text not null,
        started_at text not null,
        finished_at text,
        is_open integer not null,
        is_former integer not null default 0,
        due_at bigint
      );
CREATE TABLE operation_hosts (
        operation text not null,
        host text not null,
        enrolment text not null,
        position integer not null,
        is_control_plane integer not null default 0,
        phase text not null default 'pending',
        is_staged integer not null default 0,
        is_unreachable integer not null default 0,
        unwanted text,
        keeps_slot integer not null default 0,
        is_cordoned integer not null default 0,
        attempt integer not null default 1,
        skip_reason text,
        is_already_there integer not null default 0,
        problem text not null default '',
        prepared_json text not null default '{}',
        phases_json text not null default '[]',
        started_at text,
        finished_at text,
        primary key (operation, host)
      );
CREATE TABLE operation_output (
        operation text not null,
        host text not null,
        attempt integer not null,
        step text not null,
        output text not null,
        last_lines text not null,
        at text not null,
        primary key (operation, host, attempt, step)
      );
CREATE TABLE idempotency_keys (
        cluster text not null,
        key text not null,
        operation text not null,
        primary key (cluster, key)
      );
CREATE TABLE cluster_policies (
        cluster text primary key references clusters (name) on delete cascade,
        wish_json text not null
      );
CREATE TABLE switches (
        name text primary key,
        is_on integer not null
      );
CREATE TABLE source_reads (
        source text primary key,
        due_at bigint not null,
        began_at bigint not null default 0,
        busy_until bigint not null default 0,
        fence bigint not null default 0,
        problem text not null default ''
      );
CREATE TABLE log (
        id bigint primary key,
        type text not null,
        subject text not null,
        actor text not null,
        address text not null,
        request_id text not null,
        at text not null,
        cluster text,
        host text,
        operation text,
        data_json text not null,
        hash text not null
      );
CREATE TABLE log_state (
        id integer primary key check (id = 1),
        last_id bigint not null,
        last_hash text not null,
        first_id bigint not null,
        events_from bigint not null,
        cut_json text
      );
CREATE TABLE log_keys (
        id integer primary key check (id = 1),
        sealed_key text not null
      );
CREATE TABLE cluster_statuses (
        cluster text primary key,
        status text not null
      );
CREATE TABLE webhooks (
        name text primary key,
        sealed_url text not null,
        sealed_secret text not null,
        events_json text not null,
        revision text not null,
        created_at text not null,
        position bigint not null,
        attempts integer not null default 0,
        due_at bigint not null default 0,
        failing_since bigint,
        problem text not null default '',
        parked_at text,
        delivered_id bigint,
        delivered_at text,
        busy_until bigint not null default 0,
        fence bigint not null default 0
      );
CREATE TABLE enrolment_tokens (
        name text primary key,
        id text not null,
        secret_digest text not null unique,
        cluster text,
        cidr text,
        uses integer not null,
        used integer not null,
        created_at text not null,
        expires_at text not null
      );
CREATE TABLE sessions (
        id text primary key,
        secret_digest text not null unique,
        account text not null,
        account_revision text not null,
        created_at text not null,
        expires_at text not null
      );
insert into "kysely_migration" ("name","timestamp") values ('0001-records','2026-11-16T09:00:23.579Z');
insert into "kysely_migration" ("name","timestamp") values ('0002-lists','2026-11-16T09:00:23.581Z');
insert into "kysely_migration" ("name","timestamp") values ('0003-identity','2026-11-16T09:00:23.582Z');
insert into "kysely_migration" ("name","timestamp") values ('0004-engine','2026-11-16T09:00:23.612Z');
insert into "kysely_migration" ("name","timestamp") values ('0005-transports','2026-11-16T09:00:23.613Z');
insert into "kysely_migration" ("name","timestamp") values ('0006-operations','2026-11-16T09:00:23.627Z');
insert into "kysely_migration" ("name","timestamp") values ('0007-host-sources','2026-11-16T09:00:23.632Z');
insert into "kysely_migration" ("name","timestamp") values ('0008-events','2026-11-16T09:00:23.641Z');
insert into "kysely_migration" ("name","timestamp") values ('0009-append-only-log','2026-11-16T09:00:23.642Z');
insert into "kysely_migration" ("name","timestamp") values ('0010-enrolment-tokens','2026-11-16T09:00:23.679Z');
insert into "kysely_migration" ("name","timestamp") values ('0011-sessions','2026-11-16T09:00:23.684Z');
insert into "kysely_migration" ("name","timestamp") values ('0012-checks','2026-11-16T09:00:23.685Z');
insert into "kysely_migration_lock" ("id","is_locked") values ('migration_lock',0);
insert into "data_keys" ("position","id","wrapped") values (1,'b1c9fb76','8/IoF2RfC2cbTbIqhlh+m5EGtFWx6BkoY6ProCcbP8KFEi+D9cTk4ZNtzr8sRPKB/PLcSC996Tqe8uIzGsEEMsx9Ibsrx48p');
insert into "accounts" ("name","role","password_hash","revision","created_at","changed_at") values ('admin','admin','$argon2id$v=19$m=19456,t=2,p=1$d8MTJJq2vXq9SW9SS6jAMQ$fXHkqLjGCo509r9e+a7eYlipXzzXe+dFRDzZV4eAN2g','e80ZHbY90RFFFEW0','2026-11-16T09:00:25.847000','2026-11-16T09:00:25.847000');
insert into "accounts" ("name","role","password_hash","revision","created_at","changed_at") values ('otto','operator','$argon2id$v=19$m=19456,t=2,p=1$qjZCwMFcm1zi3foxlrwzlw$Q5JwaDxBM8Z2R5u6++c+e6OtUnfoiCeRlavVHh0k7gA','iFPxRJnnfClOmiU2','2026-11-16T09:00:35.587000','2026-11-16T09:00:35.587000');
insert into "accounts" ("name","role","password_hash","revision","created_at","changed_at") values ('vera','viewer','$argon2id$v=19$m=19456,t=2,p=1$3uDN3FxxmyF3CVZ4JORx5w$gYb91WJDOlA1e0gPWsAoU3OWlhfJO1I61lozEzyEtAI','ustywPgYzpQR0I-2','2026-11-16T09:00:35.334000','2026-11-16T09:00:35.334000');
insert into "driver_records" ("kind","name","type","options_json","sealed_options_json","revision") values ('container_manager','nodes','k3s','{"server_url":"https://127.0.0.1:6443"}','{"token":"v1.b1c9fb76.eIJBOOANO9MrjKx45haZzGTXGzJYgEhRbFE+IO5zoiM1mA5sZJ1WYA2Z"}','Ke5WyexHpJ1ckREk');
insert into "driver_records" ("kind","name","type","options_json","sealed_options_json","revision") values ('container_manager','plain','trivial','{}','{}','BpDIx6pLWm8VVcYc');
insert into "driver_records" ("kind","name","type","options_json","sealed_options_json","revision") values ('network','default','none','{}','{}','JvRFcZdpWDwY3pSw');
insert into "driver_records" ("kind","name","type","options_json","sealed_options_json","revision") values ('network','lab','none','{}','{}','K-2j4_LDLdkFWEk7');
insert into "clusters" ("name","network","container_manager","revision") values ('restarted','default',NULL,'xCJdqC69Q6Ei405T');
insert into "clusters" ("name","network","container_manager","revision") values ('still','lab','plain','kM9ZE2ywFLjfWl5K');
insert into "clusters" ("name","network","container_manager","revision") values ('upgraded','default',NULL,'_N_4HmQaRh3PdRcg');
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (14,'roll','127.91.0.2','-E37vuBZVMpsnkTm','{"prepared":{"os_driver":"apt"},"operation":"pC01i9RR4UW43G-y","operationKind":"restart","cluster":"restarted","version":"","policy":{"drain":null,"reboot":"always","check":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600},"minHealthyS":1},"attempt":1}','2026-11-16T09:00:34.208000','{}',0,'pC01i9RR4UW43G-y');
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (15,'bootstrap','127.93.0.1','8itGSjyN6J2-tA1R','{}','2026-11-16T09:00:35.712000','{}',0,NULL);
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (16,'bootstrap','127.93.0.2','1ydr-gHRZeIRoP7n','{}','2026-11-16T09:00:35.749000','{}',0,NULL);
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (17,'bootstrap','127.93.0.3','O1WkgXBXf2zeLsyK','{}','2026-11-16T09:00:35.800000','{}',0,NULL);
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (18,'bootstrap','127.93.0.4','p4GU_RDcOqs7KR0A','{}','2026-11-16T09:00:35.849000','{}',0,NULL);
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (19,'bootstrap','127.93.0.5','-yfARFZf4fBI4Vjr','{}','2026-11-16T09:00:35.881000','{}',0,NULL);
insert into "work" ("id","kind","host","enrolment","details_json","saved_at","progress_json","due_at","operation") values (20,'bootstrap','127.93.0.6','QItcv-EKqEDMPOOd','{}','2026-11-16T09:00:35.916000','{}',0,NULL);
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.91.0.1','47f5b0001','h_hEnmPMIoKEOU5A','active','','debian',2,4194304,41943040,'2026-11-16T09:00:34.125000','','restarted','host-127-91-0-1','9e1ae7a9-f5f8-4a08-a640-bec944cc0a0e','apt',NULL,0,'',NULL,NULL,NULL,0,'0mwj19lz2+0mwj19ozx+');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.91.0.2','47f5b0002','-E37vuBZVMpsnkTm','active','','debian',2,4194304,41943040,'2026-11-16T09:00:30.209000','','restarted','host-127-91-0-2','c94aaa9d-07b7-4838-ab5b-b09c79b7e14b','apt',NULL,0,'',NULL,NULL,NULL,0,'0mwj19lz5+');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.91.0.3','47f5b0003','Dh0U3jiZaArFR7tX','active','','debian',2,4194304,41943040,'2026-11-16T09:00:30.210000','','restarted','host-127-91-0-3','f7bb07cd-63cf-4dc9-ac16-c45e9fb8b1d8','apt',NULL,0,'',NULL,NULL,NULL,0,'0mwj19lz6+');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.92.0.1','47f5c0001','wZUR8wuJMOqdujLZ','active','','debian',2,4194304,41943040,'2026-11-16T09:00:29.717000','','upgraded','host-127-92-0-1','9d04a074-7d7b-487e-a829-e566b4af9fa7','apt',NULL,0,'',NULL,NULL,NULL,0,'0mwj19jhk+0mwj19llh+');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.92.0.2','47f5c0002','hOXb_lZg8O1oygZf','active','','debian',2,4194304,41943040,'2026-11-16T09:00:29.766000','','upgraded','host-127-92-0-2','150e8f39-cdef-411b-a84a-8725a29d4151','apt',NULL,0,'',NULL,NULL,NULL,0,'0mwj19ji1+0mwj19lmu+');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.1','47f5d0001','8itGSjyN6J2-tA1R','investigating','','',0,0,0,'','','still','','','',NULL,1,'a new disk',NULL,NULL,NULL,0,'');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.2','47f5d0002','1ydr-gHRZeIRoP7n','bootstrapping','','',0,0,0,'','','still','','','',NULL,0,'',NULL,NULL,NULL,0,'');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.3','47f5d0003','O1WkgXBXf2zeLsyK','active','','',0,0,0,'','','still','','','',NULL,0,'',NULL,NULL,NULL,0,'');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.4','47f5d0004','p4GU_RDcOqs7KR0A','disassociated','','',0,0,0,'','',NULL,'','','',NULL,0,'',NULL,NULL,NULL,0,'');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.5','47f5d0005','-yfARFZf4fBI4Vjr','failed','','',0,0,0,'','','still','','','',NULL,0,'',NULL,NULL,NULL,0,'');
insert into "hosts" ("address","sort_key","enrolment","status","reason","os","cpus","memory_kib","space_kib","last_check","source","cluster","hostname","boot_id","os_driver","registered_with","in_maintenance","maintenance_reason","own_facts_json","told_facts_json","told_at","is_told","checks") values ('127.93.0.6','47f5d0006','QItcv-EKqEDMPOOd','unreachable','','',0,0,0,'','','still','','','',NULL,0,'',NULL,NULL,NULL,0,'');
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.91.0.1','root',22,'v1.b1c9fb76.BFrR/Osdn7DrRAzRWTU6JhGsbYH5UV4xFsA2Xp0fA6pw9OmIW/6pWoi1irRNHfWPYRhcySHK34ELcgZjZljwMeGRSlixM7NgwB0yf26/W3qYY+H9+wfXGXK25iA0QEfYdJo+k1JJR1JWjSCpPLWc/TGFUmY7hQsBoge0ry0dD2apjhZp6dwSQDSegPGyVshh/BKaLtr+v991JSa07Lxj8t6SSEUFkQRYwpKxNTYbHoODst8HWCySj3jE2dE=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIERF4pK+Kj38CKPHblpk0h06bFiaHrmLrKbGOYT7ODOq"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.91.0.2','root',22,'v1.b1c9fb76.H+VS0ZKh7UHbsG8IDgtwKabBTeLy2VRRN27EvjLlvRKZiqsYAaeaxglt+kpm3uf4HNQDUnL0L7SV1+Bpn88ql4ZgGkemhjNW92QdXohKTDvPdQ6LHT7delAaEv09TVyEL4dfX+BqYMsHwvAx5ecekV5HVbymS6wTn5HLu0p9PzoVgSFzePQNxvRkjAZGMK3txFMJ+I+VSGlNHf8vBR+ZCMthPrNy+7r8EM8v5xC1Yy9sayZh4Vz6BdsIdJw=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMdg2MgP/XiI7OhApYPNlnEtT/UymMGdOHT/aLkwogpS"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.91.0.3','root',22,'v1.b1c9fb76.RUuTxQOmLQzVx6vpPeEbBBI2Y9gC4UU0PpVRVzVFqSNdtSDIE56tf1oTVGhPTFXWm7hsdlFIFEkxLC5Npj9jun8SMfxEoUEInvsUwfMEWDbf8nPSk6xfXBCiu4zj5ICfMfA5TRD2jyyH+7XEAq+ovXbA+Z9sV/SuQo1eztI0XD+9lrGLALmFQEWq9amRrIwp+99Y8AVfe+MIril1AiNYys79Rca3bCoCbIB7OTh2pkT4gysDo5PXsUJfD/4=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINOHYxzDu/jYyLhFvmbnMbfm9z4Tmciw1k5gMx/1ueQA"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.92.0.1','root',22,'v1.b1c9fb76.FefK65Oj6Nh9N63ct5EdgZgPwoNT819HDTjqcvpufwU0qnTEQ9tbTiHyyB7tuuIHUSht5+e6diEzUvTnKVNoJKRQgSyB29uRLjMOC7kBISTtI3BWVbyOjHxoVhIe6Uo+xir1ZxRbjMNtjUzxdk4jiz1zuUNW/RCNtQ/Il2DOB1PqyH8OIN0J5/ncS2wtWoH8xDZBpC69GF90Tmxb51CfwUHu483cwIAaALS+0OXo5Qx76whVB4++huZH+VI=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAymWEulP6TNblpij2T9HFXfAL6ogM8L4qBd52s4hIvd"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.92.0.2','root',22,'v1.b1c9fb76.V17MARTKCDFfAHL5a5CLKb91h12wLwrArUhwRB0M3Tq/k5nKSJ5JBEtqEiZ7tXPHwNneXsIgqPniOiQhWxxk3Cf7/kA/+5jJp+wo6B9F3nbFw5cLySy1KrKASfN4+iMhoYLNEMlaw1L6Ztnfnjq9uTkGZCkRZaDbXpy7IQmgk89yTcFON5d2StONDE4NlOVvbZxX6HJG1cjVXy6YlcZDDj3bys6eaV4RgsooU1foWmxngXRIu+cq4odjEmo=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO/cYbkDKckn60jK3aVB5qPSbwS4EVrgoAPJt1aqpfrc"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.1','core',2222,'v1.b1c9fb76.w9nIXu2hbFNQpCyEqN7/KmdR/vOo8RKf4Y81T/7TjJCOBIEuOziKrHXcjM58kOdjI5PYoQsFlx4z5ND00lLFXIMl6WQt7Y3XDJ7nReMbry40J8cCqVEZBHE0pwCzdWwoCJo1x8Rj4Kqf0S1RuBHXr4zliIOWU1JTNbnhISSDHsv/7n9hVLAU8+i2ZXtaW0bhW0kAMd+oHYLAf1V0IdI5iw27PG0gPg1bYNkz1wd98q49H47yqex8RAqR0uQ=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.2','core',2222,'v1.b1c9fb76.ue7Mu+6fG5copmbT9emvcXkOZtzgdF7bI7maYsEZmlT/YC7nlgP71/sptHo7yN7iCS0st2Z0AsHqGcS3aDfUkBmDGfinW3YdmzHIv7gX6Y76fpo+SjRyUtGTpFeusHHvzvvXYiSLuSN1+/Jw9wFMerXrg2qv8aUY2qb4vrJsQmp9i+gSBJz2zjqomRmixRUcJvBwpqKzoBV4IC6Ortk/N6iSAtX45LdYvd9tCBligtYXijeQEfA8OrRfUBs=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.3','core',2222,'v1.b1c9fb76.jprpMXm7unx7ezmHkvXxD0QPSFWYnYyXG4sju/muU432Raqj4VXoTBi8AAVuFrMyDxlNtNDjl6GIvo+DhBRfesE+00EWbBppXxlHrnHFuRzVNMIAHjpSddj3+pxqW8338MGuMxd1CkUoYWuyGoCaLNMj8kQf09aQeCAFAWt6lvF1CL7q1q3ymGJVmycXwTWar8xQdUcXt6QiNoP5qK+zaBV+QOrz/s7Jq/ujQr8Mv5FEbCYnAPSzDlvbIU0=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.4','core',2222,'v1.b1c9fb76.wYf2EZMWH8/YqrfXiOESdsw91VPJ0VQf44fXYtDj9EgrMiuCyU3/H6/7s/0vEFbwg/ZP0NucJFIN0Yos3deIkwS015O8KFfVP0Enqo2aZg7g0K4pLbj8ATg+97u5cKGvjRI3Eao7686ucCGO7K6U86SxDYtTdci0H86kkd3r79e6HxPNqzXZZaWffyC56vzSdpKvArL3mPv6/28MTbB36TIPAjMBIbYGf0Z3h878ptws1RMC1LGsl74wHqM=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.5','core',2222,'v1.b1c9fb76.mLLho90+XcmYdSWND0oPVy7VCrGOPkw2bu8vF4ZmFVHhtLc1dB66y7Ipfu3lE5ubrsKYkPwOkGkjv1rigjtWE6FOLSOqbK2nODc/EsB23X1hVGM6z5Oc/AyTNPgYqGdoPFH1gPNOTibfJhkA5bXGDaMX9RD2wllu/iKRNtOUWEjJ2nYlb7dPiSgH5SsrMcwEvInA4L00zyP7WRtuEKNpBvYgwWuayI6OtOqkfVOXfbri4y/r6H+m4HeHNBo=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "host_access" ("host","remote_user","ssh_port","ssh_priv_key","host_keys_json","offered_host_key","transport","enrolled_by") values ('127.93.0.6','core',2222,'v1.b1c9fb76.V6HRmrYN4FhDgKBn0rtKlVPZIx9qDMfBKl1JWhjdnXvmCAIS44Hs49LoJ5kFTtuSj/Na7m1t9VdApYB3XjyojwZZZLMeAxrG1SSXBZnUemrkAgff0BnmcFZQmunU8jAF/qiIJc7B9hFMCJ4758M8xX5rj8XZS3T+UQJIEMSnWCUL4nk7nzWfceY15pPCRWJcLwMdlE0jXrzFspd2Bh+cF7B5gbVMend2EUaoCiC8dsmAeOXYvMwcwipgvjw=','["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"]',NULL,'',NULL);
insert into "service_identity" ("id","public_key","private_key") values (1,'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOp1hWNlLx0FFBnuT6PhmBN/x7XdCIhHKKF0b1Gqab9F hostler','v1.b1c9fb76.DIOLAQ22G5esHn8xvclXEXwayX40Tf3sTXFvhrK+gQuY7QqTQ3nD+bEjB2Fg6rGXeGwp/AC8yjUK/bjOlGvi7qg8tacZMROT5ExrwDPTBN8KtSxeWW184RlkxJyzGfLwRqiNRrWkNMFTWlB3p1G+/v6zf19PwL3o2NwafDF65UNnKt8bh4pologAnq/ObDjsch3CSs/g/uP54PoJR1IQ0cQjhRFVLgM0JNnE+WbdwBCp0JuHXd7wTVq5NfTOdN7RXty1yt0TSc8HyfAcbGe8fXA+PK5m33QiGH4QrPIjclmjk1EznIZ/64zf6DkwZDsUWze6GhtikIz/mh66NtVvAATWqvRO4C1QFzzsQNs2kgykhwVl7Gvfw+fYvUH7Vpe1QNUDGyLNuyHavgGhasksHxAECmqA0ilOpZoPnxEHpoHaCdUIqMcUFo0V9tpShSf/TZo2ncRXf5cn7nlPMka6WkwX3FT/52aOvaLtIq+NvSOGK4wiLsDuhhkI9A/r8TT3i5DuvoZi0+pPBRMwkHpTJnmgBbTN1T72jrr5708JHLZJDLWwbi7KPt9HVw==');
insert into "host_labels" ("host","key","value") values ('127.93.0.1','rack','r1');
insert into "host_labels" ("host","key","value") values ('127.93.0.1','ring','first');
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.91.0.1',5691,NULL,1794819694146,1794823234125,0,NULL,7);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.91.0.2',4555,1794819634208,1794819687330,1794823230209,0,NULL,2);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.91.0.3',6043,NULL,1794819696258,1794823230210,0,NULL,2);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.92.0.1',2715,NULL,1794819676290,1794823229717,0,NULL,6);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.92.0.2',624,NULL,1794819663744,1794823229766,0,NULL,6);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.1',7036,1794819635712,NULL,0,0,NULL,0);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.2',3965,1794819635749,NULL,0,0,NULL,0);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.3',9023,1794819635800,NULL,0,0,NULL,0);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.4',939,1794819635849,NULL,0,0,NULL,0);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.5',5337,1794819635881,NULL,0,0,NULL,0);
insert into "agenda" ("host","phase","work_due_at","check_due_at","facts_due_at","failures","owner","fence") values ('127.93.0.6',7867,1794819635916,NULL,0,0,NULL,0);
insert into "operations" ("number","id","kind","cluster","version","policy_json","wish_json","state","pause","problem","planned","forgiven_failures","waiting_since","ignored_json","started_by","started_at","finished_at","is_open","is_former","due_at") values (1,'KmNGwpXQMrjCs8K_','upgrade','upgraded','','{"maxUnavailable":2,"canary":0,"ramp":false,"maxFailures":0,"onFailure":"fail","hosts":null,"labels":[],"order":"address","stageParallel":20,"check":null,"minHealthyS":1,"window":null,"reboot":"if_needed","drain":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600}}','{"maxUnavailable":2,"minHealthyS":1}','finished',NULL,'',2,0,NULL,'[]','admin','2026-11-16T09:00:26.854000','2026-11-16T09:00:29.806000',0,0,NULL);
insert into "operations" ("number","id","kind","cluster","version","policy_json","wish_json","state","pause","problem","planned","forgiven_failures","waiting_since","ignored_json","started_by","started_at","finished_at","is_open","is_former","due_at") values (2,'pC01i9RR4UW43G-y','restart','restarted','','{"maxUnavailable":1,"canary":0,"ramp":false,"maxFailures":0,"onFailure":"fail","hosts":null,"labels":[],"order":"address","stageParallel":20,"check":null,"minHealthyS":1,"window":null,"reboot":"always","drain":null,"timeouts":{"stageS":1800,"applyS":1800,"rebootS":900,"readyS":600}}','{"maxUnavailable":1,"minHealthyS":1}','running',NULL,'',3,0,NULL,'[]','admin','2026-11-16T09:00:30.104000',NULL,1,0,1794819664208);
insert into "operation_hosts" ("operation","host","enrolment","position","is_control_plane","phase","is_staged","is_unreachable","unwanted","keeps_slot","is_cordoned","attempt","skip_reason","is_already_there","problem","prepared_json","phases_json","started_at","finished_at") values ('KmNGwpXQMrjCs8K_','127.92.0.1','wZUR8wuJMOqdujLZ',0,0,'done',0,0,NULL,0,0,1,NULL,0,'','{"os_driver":"apt"}','[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:26.913000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:26.984000"},{"phase":"applying","attempt":1,"at":"2026-11-16T09:00:27.140000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:27.282000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:27.335000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:28.691000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:29.717000"}]','2026-11-16T09:00:26.913000','2026-11-16T09:00:29.717000');
insert into "operation_hosts" ("operation","host","enrolment","position","is_control_plane","phase","is_staged","is_unreachable","unwanted","keeps_slot","is_cordoned","attempt","skip_reason","is_already_there","problem","prepared_json","phases_json","started_at","finished_at") values ('KmNGwpXQMrjCs8K_','127.92.0.2','hOXb_lZg8O1oygZf',1,0,'done',0,0,NULL,0,0,1,NULL,0,'','{"os_driver":"apt"}','[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:26.913000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:27.001000"},{"phase":"applying","attempt":1,"at":"2026-11-16T09:00:27.140000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:27.294000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:27.351000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:28.745000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:29.766000"}]','2026-11-16T09:00:26.913000','2026-11-16T09:00:29.766000');
insert into "operation_hosts" ("operation","host","enrolment","position","is_control_plane","phase","is_staged","is_unreachable","unwanted","keeps_slot","is_cordoned","attempt","skip_reason","is_already_there","problem","prepared_json","phases_json","started_at","finished_at") values ('pC01i9RR4UW43G-y','127.91.0.1','h_hEnmPMIoKEOU5A',0,0,'done',0,0,NULL,0,0,1,NULL,0,'','{"os_driver":"apt"}','[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:30.148000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:30.206000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:30.247000"},{"phase":"rebooting","attempt":1,"at":"2026-11-16T09:00:30.303000"},{"phase":"verifying","attempt":1,"at":"2026-11-16T09:00:33.117000"},{"phase":"done","attempt":1,"at":"2026-11-16T09:00:34.125000"}]','2026-11-16T09:00:30.148000','2026-11-16T09:00:34.125000');
insert into "operation_hosts" ("operation","host","enrolment","position","is_control_plane","phase","is_staged","is_unreachable","unwanted","keeps_slot","is_cordoned","attempt","skip_reason","is_already_there","problem","prepared_json","phases_json","started_at","finished_at") values ('pC01i9RR4UW43G-y','127.91.0.2','-E37vuBZVMpsnkTm',1,0,'armed',0,0,NULL,0,0,1,NULL,0,'','{"os_driver":"apt"}','[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:30.148000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:30.209000"},{"phase":"armed","attempt":1,"at":"2026-11-16T09:00:34.208000"}]','2026-11-16T09:00:30.148000',NULL);
insert into "operation_hosts" ("operation","host","enrolment","position","is_control_plane","phase","is_staged","is_unreachable","unwanted","keeps_slot","is_cordoned","attempt","skip_reason","is_already_there","problem","prepared_json","phases_json","started_at","finished_at") values ('pC01i9RR4UW43G-y','127.91.0.3','Dh0U3jiZaArFR7tX',2,0,'staging',1,0,NULL,0,0,1,NULL,0,'','{"os_driver":"apt"}','[{"phase":"preflight","attempt":1,"at":"2026-11-16T09:00:30.148000"},{"phase":"staging","attempt":1,"at":"2026-11-16T09:00:30.210000"}]','2026-11-16T09:00:30.148000',NULL);
insert into "operation_output" ("operation","host","attempt","step","output","last_lines","at") values ('KmNGwpXQMrjCs8K_','127.92.0.1',1,'apply','Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...
','Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...','2026-11-16T09:00:27.282000');
insert into "operation_output" ("operation","host","attempt","step","output","last_lines","at") values ('KmNGwpXQMrjCs8K_','127.92.0.1',1,'stage','Hit:1 http://deb.example.org stable InRelease
Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode
','Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode','2026-11-16T09:00:27.030000');
insert into "operation_output" ("operation","host","attempt","step","output","last_lines","at") values ('KmNGwpXQMrjCs8K_','127.92.0.2',1,'apply','Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...
','Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Setting up linux-image-amd64 (6.1.94-1) ...
Setting up openssl (3.0.14-1) ...','2026-11-16T09:00:27.294000');
insert into "operation_output" ("operation","host","attempt","step","output","last_lines","at") values ('KmNGwpXQMrjCs8K_','127.92.0.2',1,'stage','Hit:1 http://deb.example.org stable InRelease
Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode
','Reading package lists...
Reading package lists...
The following packages will be upgraded:
  linux-image-amd64 openssl
Download complete and in download only mode','2026-11-16T09:00:27.053000');
insert into "cluster_policies" ("cluster","wish_json") values ('still','{"maxUnavailable":"20%","maxFailures":2}');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (1,'account.created','admin','','','','2026-11-16T09:00:25.849000',NULL,NULL,NULL,'{"role":"admin"}','8f62ab40ca74eb0bf6508fb6945687c4bb7f93e5035af247c8880c6a09723e2c');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (10,'host.status','127.92.0.2','','','','2026-11-16T09:00:26.702000','upgraded','127.92.0.2',NULL,'{"from":"investigating","to":"bootstrapping"}','f9d3d5c2b4a4665fd03720ee8533be45825f7ef05870ebf01e2764244391275c');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (11,'host.status','127.92.0.2','','','','2026-11-16T09:00:26.707000','upgraded','127.92.0.2',NULL,'{"from":"bootstrapping","to":"active"}','7698c6e166d17c773fb474579e1ed99345b0bef3e791cc8a29e5486188b09b2e');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (12,'cluster.status','upgraded','','','','2026-11-16T09:00:26.707000','upgraded',NULL,NULL,'{"from":"degraded","to":"ok"}','82a2be122aa5363f0eec4698c2c6c5f65f64a4b6fa2e89dde297779c75c68451');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (13,'operation.started','KmNGwpXQMrjCs8K_','admin','127.0.0.1','3a5fe2577284-7','2026-11-16T09:00:26.854000','upgraded',NULL,'KmNGwpXQMrjCs8K_','{"kind":"upgrade","hosts":2}','d620c6a44f59b009e94ccdef7ffed15aacd767a117f4160a2c27325d595d263b');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (14,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:26.913000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"preflight","attempt":1}','cc936b072c402066364ae37d8f91b48f47883eac1a8e96210b7ad92dfc836023');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (15,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:26.913000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"preflight","attempt":1}','81f6211ed1d34e5aaeab6ae569e97758acbccf4e5516a751e0397255c78ab27c');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (16,'operation.state','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:26.913000','upgraded',NULL,'KmNGwpXQMrjCs8K_','{"state":"running"}','8971bb182d2a4cf187a1e51a2be7b3c78ee28e19d93f7717041b0c1eaf89fe7a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (17,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:26.984000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"staging","attempt":1}','935eb9e7f67e601eeaa5567528bf72e52981180a9a514e6747009ffacbb2779e');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (18,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.001000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"staging","attempt":1}','ec14ed5b243d42aec6a744ca319b047b23bb98ca22ba36318be8404f94dfde15');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (19,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.140000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"applying","attempt":1}','b7771200719a91219603f33f098816b982dd0394b36652a24a1e96d758448243');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (2,'cluster.created','upgraded','admin','127.0.0.1','3a5fe2577284-1','2026-11-16T09:00:26.094000','upgraded',NULL,NULL,'{"network":"default","container_manager":""}','07fb7ea0ab437d022a8345475c38636898c235e56eb10ee30049df90ea6c6727');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (20,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.140000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"applying","attempt":1}','404c11ef0e2078e1ccab71f99782a6915f44e406088ab532cba8486f07accb73');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (21,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.282000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"armed","attempt":1}','0a30f257d2d49b9b6caa53d043999da6b709e48fbc890e13179e5c004b3c4a96');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (22,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.294000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"armed","attempt":1}','c883b3e0d2b3a27665f7475735cec5cdc4000c8b8071461785aaf4a886dea4f7');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (23,'host.status','127.92.0.1','','','','2026-11-16T09:00:27.335000','upgraded','127.92.0.1',NULL,'{"from":"active","to":"unreachable","reason":"rebooting: upgrade KmNGwpXQMrjCs8K_ has it reboot"}','437f66975bb72e8713bd60f482e7f2a38300b3de9e4dc14a37bd21d9fec57d2a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (24,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.335000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"rebooting","attempt":1}','7042bf3a20b72e2d8c46322ef56eae23c4685a5d50f81b5c1e7605a9841ffae7');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (25,'host.status','127.92.0.2','','','','2026-11-16T09:00:27.351000','upgraded','127.92.0.2',NULL,'{"from":"active","to":"unreachable","reason":"rebooting: upgrade KmNGwpXQMrjCs8K_ has it reboot"}','ae3f40b7fcd815d134d79f13185f0dcf5eedbcdff3a1dd4127c9dd99f9782434');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (26,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:27.351000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"rebooting","attempt":1}','2f9cbbed787a613e1983ced6cc67894eccde787f39c2d4ef6dcbe477493941a3');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (27,'cluster.status','upgraded','','','','2026-11-16T09:00:27.351000','upgraded',NULL,NULL,'{"from":"ok","to":"failed"}','557311e6506170558e28c1a4e9151c2643dda4d671e5bf62b79b210b2979741a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (28,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:28.691000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"verifying","attempt":1}','e83a9e952715be03f3cb9620a0e45305c321fd90d22ccadab4a09dbdf63d671e');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (29,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:28.745000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"verifying","attempt":1}','d878f9f1e3de3632294a309aeb7c7246e2ad824e056c9d85bff6e9460cca0fbb');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (3,'host.created','127.92.0.1','admin','127.0.0.1','3a5fe2577284-2','2026-11-16T09:00:26.280000','upgraded','127.92.0.1',NULL,'{"remote_user":"root"}','15ee0f8b5d56a8ce77b96d98e1c9e858ebe180188348e28d38c7433a89ef5c74');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (30,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:29.717000','upgraded','127.92.0.1','KmNGwpXQMrjCs8K_','{"state":"done","attempt":1}','2dad7acc78745800b7d7ca5cfb8a9f870e15061fb94e8baab212475cb4190d77');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (31,'host.status','127.92.0.1','','','','2026-11-16T09:00:29.717000','upgraded','127.92.0.1',NULL,'{"from":"unreachable","to":"active"}','0eb1da280e48184c9a62264552a0ca3891a64aeba464f358894c986c12dc1e59');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (32,'cluster.status','upgraded','','','','2026-11-16T09:00:29.717000','upgraded',NULL,NULL,'{"from":"failed","to":"degraded"}','62503133501174e6d4aa6ba432ebcdd4e10fecdd373c1dca518eb21834ebcedc');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (33,'operation.host','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:29.766000','upgraded','127.92.0.2','KmNGwpXQMrjCs8K_','{"state":"done","attempt":1}','c39483425393dd544cddc50a703bbdd7e138edc640b3d58eb0d9ca39356ef2fe');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (34,'host.status','127.92.0.2','','','','2026-11-16T09:00:29.766000','upgraded','127.92.0.2',NULL,'{"from":"unreachable","to":"active"}','ac8970ae50b91b7f98f9e945b49675b89e1d5fa292ba8bd64c8fa599ef7f389b');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (35,'cluster.status','upgraded','','','','2026-11-16T09:00:29.766000','upgraded',NULL,NULL,'{"from":"degraded","to":"ok"}','267081985f24d35552582416bb5568f1a3ab2dcab12a7ad63b9ab06d20c4f7d0');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (36,'operation.ended','KmNGwpXQMrjCs8K_','','','','2026-11-16T09:00:29.806000','upgraded',NULL,'KmNGwpXQMrjCs8K_','{"state":"finished"}','78a6f2dc87537950a2e1f788df497d02fc9d5573d0ded8c9a3ccd9f2d58e214d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (37,'cluster.created','restarted','admin','127.0.0.1','3a5fe2577284-3v','2026-11-16T09:00:29.848000','restarted',NULL,NULL,'{"network":"default","container_manager":""}','9193d4138f52cefcc928a99bad67eb2b1eb18f257c0906f8a3ea4a29eb981f78');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (38,'host.created','127.91.0.1','admin','127.0.0.1','3a5fe2577284-3w','2026-11-16T09:00:29.877000','restarted','127.91.0.1',NULL,'{"remote_user":"root"}','ba71821b703800fe2e06ab9008d9f79c95f306c9f82eb281f6a605a77fe7554e');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (39,'cluster.members','restarted','admin','127.0.0.1','3a5fe2577284-3w','2026-11-16T09:00:29.877000','restarted',NULL,NULL,'{"joined":["127.91.0.1"],"left":[]}','b5b5fb13fa9abb387192f0963fe41c7d792489bd388def7a96eb453238fbc1fc');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (4,'cluster.members','upgraded','admin','127.0.0.1','3a5fe2577284-2','2026-11-16T09:00:26.280000','upgraded',NULL,NULL,'{"joined":["127.92.0.1"],"left":[]}','00208421d8590abbfa08f91d329942ca76bfc3e7c7d68e916f4ebebbeaf5adf0');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (40,'cluster.status','restarted','','','','2026-11-16T09:00:29.877000','restarted',NULL,NULL,'{"from":"ok","to":"degraded"}','6a84f4158b9fe2f52160b1b265aed0aaa06b2537adc392f5836ee1760910d6ec');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (41,'host.created','127.91.0.2','admin','127.0.0.1','3a5fe2577284-3x','2026-11-16T09:00:29.899000','restarted','127.91.0.2',NULL,'{"remote_user":"root"}','cc757e6e3c2599af83e30c9fd5b2f25cd144690b4b4d558f0c88144044e46771');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (42,'cluster.members','restarted','admin','127.0.0.1','3a5fe2577284-3x','2026-11-16T09:00:29.899000','restarted',NULL,NULL,'{"joined":["127.91.0.2"],"left":[]}','7353b7e6d2a4590623e3fd9030bd2f6f70493bfd4e6ef2bfaf4988d87e192ee8');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (43,'host.created','127.91.0.3','admin','127.0.0.1','3a5fe2577284-3y','2026-11-16T09:00:29.920000','restarted','127.91.0.3',NULL,'{"remote_user":"root"}','670746d5a9c966ceb542f840864821f79a357ab990af2653722380785b11e0ef');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (44,'cluster.members','restarted','admin','127.0.0.1','3a5fe2577284-3y','2026-11-16T09:00:29.920000','restarted',NULL,NULL,'{"joined":["127.91.0.3"],"left":[]}','979d024ef481f2f4c4c2f0929c63efd4b4368461651a11d76c495b2176797182');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (45,'host.status','127.91.0.1','','','','2026-11-16T09:00:29.983000','restarted','127.91.0.1',NULL,'{"from":"investigating","to":"bootstrapping"}','c68fe530fcdef7f5358aa2dec4df10dc921881676a682c0cc72711c5c3515f68');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (46,'host.status','127.91.0.2','','','','2026-11-16T09:00:29.987000','restarted','127.91.0.2',NULL,'{"from":"investigating","to":"bootstrapping"}','8744bc9cb38fcbabd649b41b37847c780bb9297f7c9a6262cf81d59bedb56a5f');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (47,'host.status','127.91.0.3','','','','2026-11-16T09:00:29.991000','restarted','127.91.0.3',NULL,'{"from":"investigating","to":"bootstrapping"}','629432cc580b341a3c638589c9c0ac076464695acb0da9f60a314a1d95cb7759');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (48,'host.status','127.91.0.1','','','','2026-11-16T09:00:30.024000','restarted','127.91.0.1',NULL,'{"from":"bootstrapping","to":"active"}','6f1dc8bbc35bf15dd16bccaaf2ff941bc4842e0f7dffae570d2eec98690a10ec');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (49,'host.status','127.91.0.2','','','','2026-11-16T09:00:30.039000','restarted','127.91.0.2',NULL,'{"from":"bootstrapping","to":"active"}','b644be2bf8b16262519eeb310019aa393b32a9821aef57aaeeb0b5e0ce3ac73d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (5,'host.status','127.92.0.1','','','','2026-11-16T09:00:26.432000','upgraded','127.92.0.1',NULL,'{"from":"investigating","to":"bootstrapping"}','a2bd5cd13d275d72878ad10ddd876f8172e389b22c455426b92160c96edede1d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (50,'host.status','127.91.0.3','','','','2026-11-16T09:00:30.041000','restarted','127.91.0.3',NULL,'{"from":"bootstrapping","to":"active"}','c2db6db11a932f4f5ac6c3b0422a9499884209953bda4dc4865c2492acc2b0c8');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (51,'cluster.status','restarted','','','','2026-11-16T09:00:30.041000','restarted',NULL,NULL,'{"from":"degraded","to":"ok"}','463837487831e8794a2799409ab824839561fc028b6ecc323284c1df39797eef');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (52,'operation.started','pC01i9RR4UW43G-y','admin','127.0.0.1','3a5fe2577284-42','2026-11-16T09:00:30.104000','restarted',NULL,'pC01i9RR4UW43G-y','{"kind":"restart","hosts":3}','58765b2f094cd93dfd43e625fcce4997eed3e09156d079101f249fd88651779a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (53,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.148000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"preflight","attempt":1}','ce89842f0ae3be5ab98d8f305888270537f22adcf848f120ef2d64c4f2c2f8a5');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (54,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.148000','restarted','127.91.0.2','pC01i9RR4UW43G-y','{"state":"preflight","attempt":1}','6a67240519c6971b0fff617972c339879c4f13d23b8f41727e7df0ecc81ad0db');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (55,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.148000','restarted','127.91.0.3','pC01i9RR4UW43G-y','{"state":"preflight","attempt":1}','c704bc8446c3d60d5a089771afb9da7161f0a244792f891b45ac8985158fce06');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (56,'operation.state','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.148000','restarted',NULL,'pC01i9RR4UW43G-y','{"state":"running"}','4b2f574e177b070d777920a9f14bd0f787cfdcfed0e4322044516ab378ba1d4f');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (57,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.206000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"staging","attempt":1}','1f2327500cf4a77ece386913e0456e947880786e12b88285656d983d90a3dd7f');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (58,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.209000','restarted','127.91.0.2','pC01i9RR4UW43G-y','{"state":"staging","attempt":1}','66614908e0273c5a2858a4b466dee2575cb1286d40bd21da7b323276aa1b62e0');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (59,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.210000','restarted','127.91.0.3','pC01i9RR4UW43G-y','{"state":"staging","attempt":1}','47ebf78b5fd69e4be51966ed6ba507056e5379db61d006fe387a40af45565e85');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (6,'host.status','127.92.0.1','','','','2026-11-16T09:00:26.524000','upgraded','127.92.0.1',NULL,'{"from":"bootstrapping","to":"active"}','ac470ab2ce2e884736764911198c2d713715b9e7f32e262ca855ae88096cafb9');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (60,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.247000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"armed","attempt":1}','b3603cdc9935c3b51702f3cbeee57c237ac31def284ac934f276e8d7c6c7f151');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (61,'host.status','127.91.0.1','','','','2026-11-16T09:00:30.303000','restarted','127.91.0.1',NULL,'{"from":"active","to":"unreachable","reason":"rebooting: restart pC01i9RR4UW43G-y has it reboot"}','37158fd4c4d42def0e3b055a75d8ac3ad835af0f2ed10e409643d89d82a7cd8f');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (62,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:30.303000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"rebooting","attempt":1}','96bdcd603b32fee2ab042daa3e7893ea4ec5ce90afd2ed84a80d2ac4cc03c38a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (63,'cluster.status','restarted','','','','2026-11-16T09:00:30.303000','restarted',NULL,NULL,'{"from":"ok","to":"degraded"}','9d5b98c307dbf3bdd1a16290b4217867d7e501f19a0d2a5f4bafe6b63c6fe090');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (64,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:33.117000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"verifying","attempt":1}','e70c48d7f5fd55d06981697ceea25a9db3cff0b60895bf400b0273b4c8a87779');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (65,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:34.125000','restarted','127.91.0.1','pC01i9RR4UW43G-y','{"state":"done","attempt":1}','c5875f4d800c3ad057d411ee2383bf26985c1e36de90f08883ec34fd09af17de');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (66,'host.status','127.91.0.1','','','','2026-11-16T09:00:34.125000','restarted','127.91.0.1',NULL,'{"from":"unreachable","to":"active"}','f1d9de3b688e3d03d10eae51c373f6bcbfebc84aed4ce4a5c5e69cdcfa05db18');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (67,'cluster.status','restarted','','','','2026-11-16T09:00:34.125000','restarted',NULL,NULL,'{"from":"degraded","to":"ok"}','d1de5b50fb1a2f3f15b1b10ad6ef75506c8d5fc9cca334500a507df9b8cb9fe3');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (68,'operation.host','pC01i9RR4UW43G-y','','','','2026-11-16T09:00:34.208000','restarted','127.91.0.2','pC01i9RR4UW43G-y','{"state":"armed","attempt":1}','71280e6829f6035823ee6755a9eccbaabf5a93480ecb9b1e37961055aa576a6d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (69,'container_manager.created','nodes','admin','127.0.0.1','435ba14cb9cf-1','2026-11-16T09:00:34.929000',NULL,NULL,NULL,'{"type":"k3s"}','6165bc7e0bfc960618d6436abb9554f63455159eaeb623945f902044e32d20ce');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (7,'host.created','127.92.0.2','admin','127.0.0.1','3a5fe2577284-3','2026-11-16T09:00:26.664000','upgraded','127.92.0.2',NULL,'{"remote_user":"root"}','2608d8cc797dff6fa8f6453370418bd7c761dd2525b1ccb51c1101a0c441deda');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (70,'container_manager.created','plain','admin','127.0.0.1','435ba14cb9cf-2','2026-11-16T09:00:34.979000',NULL,NULL,NULL,'{"type":"trivial"}','7dbe086a138d6b87444466f47afe529be001f3cdb75e4725e0a0d36594401bd0');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (71,'network.created','lab','admin','127.0.0.1','435ba14cb9cf-3','2026-11-16T09:00:35.013000',NULL,NULL,NULL,'{"type":"none"}','ce1fa11cb27dd10fdd7961039f92e653f8090375bea5ed932adad74ba66462ca');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (72,'cluster.created','still','admin','127.0.0.1','435ba14cb9cf-4','2026-11-16T09:00:35.045000','still',NULL,NULL,'{"network":"lab","container_manager":"plain"}','823af83879e5caaeb340788b41f8bbd8204f5543680bb772b520975a015ed9f3');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (73,'cluster.policy','still','admin','127.0.0.1','435ba14cb9cf-5','2026-11-16T09:00:35.083000','still',NULL,NULL,'{}','7ea92c18b7969fbc3747bbe69ff873de9b49300e95175fd8aa3788e9304716c5');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (74,'account.created','vera','admin','127.0.0.1','435ba14cb9cf-6','2026-11-16T09:00:35.336000',NULL,NULL,NULL,'{"role":"viewer"}','f92b5faedbacbb1c3b2255756fcc0ade888cefbb712d177b970967c57ffcab34');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (75,'account.created','otto','admin','127.0.0.1','435ba14cb9cf-7','2026-11-16T09:00:35.588000',NULL,NULL,NULL,'{"role":"operator"}','8efc16647caa5acd204e32a5ebfe9b0078d63ac0190731321622f2eceb8f3f22');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (76,'webhook.created','chat','admin','127.0.0.1','435ba14cb9cf-8','2026-11-16T09:00:35.630000',NULL,NULL,NULL,'{"events":["log.cut"]}','90dd50270d91446c116ed2b0f87f9da41081427b625c291fe40da1a46e7632f8');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (77,'token.created','racks','admin','127.0.0.1','435ba14cb9cf-9','2026-11-16T09:00:35.668000','still',NULL,NULL,'{"cluster":"still","cidr":"","uses":5,"expires_at":"2026-11-17T09:00:35.667000"}','fa1ec07eb0cd8c9604c0b5424bae1d6310827dd6a81dab56c8807d685294ec5d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (78,'host.created','127.93.0.1','admin','127.0.0.1','435ba14cb9cf-a','2026-11-16T09:00:35.712000','still','127.93.0.1',NULL,'{"remote_user":"core"}','1dc938092b32938e57bfc0d971aff997df43ad7f711c755220cd250f216a6e2a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (79,'cluster.members','still','admin','127.0.0.1','435ba14cb9cf-a','2026-11-16T09:00:35.712000','still',NULL,NULL,'{"joined":["127.93.0.1"],"left":[]}','83b84ddca562bf1bcc1f78ecab0cb7552049dac83d5d10ba1d54f4df2a4732ee');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (8,'cluster.members','upgraded','admin','127.0.0.1','3a5fe2577284-3','2026-11-16T09:00:26.664000','upgraded',NULL,NULL,'{"joined":["127.92.0.2"],"left":[]}','3b51dd3c566027492dfea74dfbb9fbf7a99cbd332b2ab0a3f516e483c9912cc6');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (80,'cluster.status','still','','','','2026-11-16T09:00:35.712000','still',NULL,NULL,'{"from":"ok","to":"degraded"}','b8365b6bb9126be742c65c40e797ee72725c312ca78337549e800a47cbe5405b');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (81,'host.created','127.93.0.2','admin','127.0.0.1','435ba14cb9cf-b','2026-11-16T09:00:35.749000','still','127.93.0.2',NULL,'{"remote_user":"core"}','c2805251c84869a00da52722883e8838cfc50898ca73c6132fad361169acdeff');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (82,'cluster.members','still','admin','127.0.0.1','435ba14cb9cf-b','2026-11-16T09:00:35.749000','still',NULL,NULL,'{"joined":["127.93.0.2"],"left":[]}','d60e6092760558a2a518b2b2a1c29d2047b3a0439a45fc581a903e0b4fe1e877');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (83,'host.created','127.93.0.3','admin','127.0.0.1','435ba14cb9cf-c','2026-11-16T09:00:35.800000','still','127.93.0.3',NULL,'{"remote_user":"core"}','8c097c4e26b2eef60a3f7e0670820e74d62f5a00695647698ede2a0a9d77d40b');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (84,'cluster.members','still','admin','127.0.0.1','435ba14cb9cf-c','2026-11-16T09:00:35.800000','still',NULL,NULL,'{"joined":["127.93.0.3"],"left":[]}','76d3647a2f5dd41b5bf8e67e721dd59e13dea4a5d5e6095b6bc19a203308f0db');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (85,'host.created','127.93.0.4','admin','127.0.0.1','435ba14cb9cf-d','2026-11-16T09:00:35.849000',NULL,'127.93.0.4',NULL,'{"remote_user":"core"}','acda5fabb31847808d4231797a44899fcdcaba4681b194883a987f7169cbd5b5');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (86,'host.created','127.93.0.5','admin','127.0.0.1','435ba14cb9cf-e','2026-11-16T09:00:35.881000','still','127.93.0.5',NULL,'{"remote_user":"core"}','3bb345e9d93fe981175061c0ca9c48d91f0ca4b6ebbc250352925be9d5c29cb1');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (87,'cluster.members','still','admin','127.0.0.1','435ba14cb9cf-e','2026-11-16T09:00:35.881000','still',NULL,NULL,'{"joined":["127.93.0.5"],"left":[]}','fd2685f0b13724e1de0514fa17efbaba40e5191b0568a3c2032e77467e49ec6d');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (88,'host.created','127.93.0.6','admin','127.0.0.1','435ba14cb9cf-f','2026-11-16T09:00:35.916000','still','127.93.0.6',NULL,'{"remote_user":"core"}','1cd6ddf198e4441b2649efeca8808634158cdf215040b1f7efe6692b7a8e0806');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (89,'cluster.members','still','admin','127.0.0.1','435ba14cb9cf-f','2026-11-16T09:00:35.916000','still',NULL,NULL,'{"joined":["127.93.0.6"],"left":[]}','4c93fd46ed97d22ee442bff33709109c672546929d4016243e654e50385ae5a7');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (9,'cluster.status','upgraded','','','','2026-11-16T09:00:26.664000','upgraded',NULL,NULL,'{"from":"ok","to":"degraded"}','a6f87055013b91c75fa0444e1027e02977966ad74e83e01be298f2e424323f2b');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (90,'host.labels','127.93.0.1','admin','127.0.0.1','435ba14cb9cf-g','2026-11-16T09:00:35.961000','still','127.93.0.1',NULL,'{"labels":{"rack":"r1","ring":"first"}}','26c2699b2806bc605829716d25835e44b20faf685b104b8091b47daaab9c2453');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (91,'host.maintenance','127.93.0.1','admin','127.0.0.1','435ba14cb9cf-h','2026-11-16T09:00:35.995000','still','127.93.0.1',NULL,'{"on":true,"reason":"a new disk"}','2d6e570feb2b8befa354e467329cf9e0b97e5b2e34d9e0daa355237d53ea5d5e');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (92,'account.signed_in','admin','admin','127.0.0.1','435ba14cb9cf-i','2026-11-16T09:00:36.029000',NULL,NULL,NULL,'{"session":"pxMHi-ycnPrSox3M","expires_at":"2026-11-16T17:00:36.027000"}','3b3e1778dead03df91e0f1fe5e7fd7d3f1a4655b4683c3ec7a10ad2d50e35bd2');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (93,'container_manager.secrets_read','nodes','admin','127.0.0.1','435ba14cb9cf-x','2026-11-16T09:00:36.145000',NULL,NULL,NULL,'{}','bd62bdec7171f0f3fbac097e21ca7aec1f83c899f6c3341df5d0b2fafe56a257');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (94,'host.credentials_read','127.93.0.1','admin','127.0.0.1','435ba14cb9cf-17','2026-11-16T09:00:36.239000',NULL,'127.93.0.1',NULL,'{}','1c5121574a461c13e69a934f1bf9c0bb17ae53a7122c04cf9c7572cb2d347264');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (95,'host.credentials_read','127.93.0.2','admin','127.0.0.1','435ba14cb9cf-1b','2026-11-16T09:00:36.276000',NULL,'127.93.0.2',NULL,'{}','2ad91e7906bef2f7e8f2c395c0efcc680ad0dc8766f38a63a9aeeaddc36b6f24');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (96,'host.credentials_read','127.93.0.3','admin','127.0.0.1','435ba14cb9cf-1f','2026-11-16T09:00:36.310000',NULL,'127.93.0.3',NULL,'{}','781968758451bea3898d99bf6f9a2312311302687380f160d6d32e895d271a57');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (97,'host.credentials_read','127.93.0.4','admin','127.0.0.1','435ba14cb9cf-1j','2026-11-16T09:00:36.341000',NULL,'127.93.0.4',NULL,'{}','47efc4487c0acfebee8e66a26b025cc00e2bc252fba1c4230a9e79fe50b9dbdf');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (98,'host.credentials_read','127.93.0.5','admin','127.0.0.1','435ba14cb9cf-1n','2026-11-16T09:00:36.384000',NULL,'127.93.0.5',NULL,'{}','f3ce58b2070aa706cd9d348277dd1ff1a05787efa530a529b64c66851851366a');
insert into "log" ("id","type","subject","actor","address","request_id","at","cluster","host","operation","data_json","hash") values (99,'host.credentials_read','127.93.0.6','admin','127.0.0.1','435ba14cb9cf-1r','2026-11-16T09:00:36.419000',NULL,'127.93.0.6',NULL,'{}','cbbc859662568bdf9cd920c6e46d02f6472f6d820d8a360a2d67c7269c717691');
insert into "log_state" ("id","last_id","last_hash","first_id","events_from","cut_json") values (1,99,'cbbc859662568bdf9cd920c6e46d02f6472f6d820d8a360a2d67c7269c717691',1,1,NULL);
insert into "log_keys" ("id","sealed_key") values (1,'v1.b1c9fb76.gGbZXKUvyBhZ/eEIyFrfwPA+o3E2DO0Iu6ODyeZQJE7/5ip4qfyO6S7O0xZi7/pNPIWnai6xOB5cWPep9E2xVp6Jpc6n3z3v');
insert into "cluster_statuses" ("cluster","status") values ('restarted','ok');
insert into "cluster_statuses" ("cluster","status") values ('still','degraded');
insert into "cluster_statuses" ("cluster","status") values ('upgraded','ok');
insert into "webhooks" ("name","sealed_url","sealed_secret","events_json","revision","created_at","position","attempts","due_at","failing_since","problem","parked_at","delivered_id","delivered_at","busy_until","fence") values ('chat','v1.b1c9fb76./lraXQcyP4oXWPx08/y5C7JuQel5T78yT/FjXL/2RDbbKkfOPBlxgdktOjabzrDgqflRUCwx','v1.b1c9fb76.Ga2qnZI+snicf8KnSNzGGJABQo75zFLJk34qdDPuFTRFsNVVWEjmZxtJs6Y/+AiSxxNT','["log.cut"]','6ccNbFB5-4IJhspy','2026-11-16T09:00:35.630000',75,0,0,NULL,'',NULL,NULL,NULL,0,1794819635630);
insert into "enrolment_tokens" ("name","id","secret_digest","cluster","cidr","uses","used","created_at","expires_at") values ('racks','11eLEbybBkodSc3B','67ad54690e64f1f47544100eb8a88fbb4dd511c1550f80084b91aef396fb14f2','still',NULL,5,0,'2026-11-16T09:00:35.667000','2026-11-17T09:00:35.667000');
insert into "sessions" ("id","secret_digest","account","account_revision","created_at","expires_at") values ('pxMHi-ycnPrSox3M','c0d240512fc7e0ef705d4ee3078003cfff6e55765e3a7e0da180f47d919ae2fd','admin','e80ZHbY90RFFFEW0','2026-11-16T09:00:36.027000','2026-11-16T17:00:36.027000');
CREATE INDEX clusters_by_network on clusters (network);
CREATE INDEX clusters_by_container_manager on clusters (container_manager);
CREATE INDEX work_by_host on work (host, id);
CREATE INDEX members_in_order on hosts (cluster, sort_key);
CREATE INDEX hosts_by_status on hosts (status, sort_key);
CREATE INDEX hosts_by_cluster on hosts (cluster, status, in_maintenance);
CREATE INDEX hosts_by_label on host_labels (key, value, host);
CREATE INDEX agenda_by_work on agenda (work_due_at) where work_due_at is not null;
CREATE INDEX agenda_by_check on agenda (check_due_at) where check_due_at is not null;
CREATE INDEX agenda_by_owner on agenda (owner) where owner is not null;
CREATE UNIQUE INDEX open_operations on operations (cluster) where is_open = 1;
CREATE INDEX operations_due on operations (due_at) where is_open = 1;
CREATE INDEX operations_of_cluster on operations (cluster, kind, number);
CREATE INDEX operations_ended on operations (finished_at) where finished_at is not null;
CREATE INDEX operation_hosts_by_phase on operation_hosts (operation, phase, is_staged, is_control_plane, position);
CREATE INDEX operation_hosts_in_order on operation_hosts (operation, position);
CREATE INDEX keys_of_operations on idempotency_keys (operation);
CREATE INDEX work_of_operations on work (operation, host) where operation is not null;
CREATE INDEX hosts_by_source on hosts (source, sort_key) where source <> '';
CREATE INDEX hosts_never_told on hosts (source, sort_key) where source <> '' and is_told = 0;
CREATE INDEX log_by_subject on log (subject, id);
CREATE INDEX log_by_actor on log (actor, id) where actor <> '';
CREATE INDEX log_by_time on log (at);
CREATE TRIGGER log_is_not_changed before update on log
    begin select raise(abort, 'the log is never changed'); end;
CREATE TRIGGER log_is_only_cut before delete on log
    when old.id >= (select first_id from log_state)
    begin select raise(abort, 'only what was cut off leaves the log'); end;
CREATE INDEX sessions_by_account on sessions (account, created_at);
CREATE INDEX sessions_by_end on sessions (expires_at);
CREATE INDEX operations_of_host on operation_hosts (host, operation);
commit;

update sessions set expires_at = '2999-01-01T00:00:00.000000';
update enrolment_tokens set expires_at = '2999-01-01T00:00:00.000000';
