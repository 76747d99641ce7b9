#!/bin/sh
# A Slurm of one node on this machine, for tests: munge, slurmctld and slurmd without systemd.
#
#   sh cluster.sh install        install Debian's packages
#   sh cluster.sh start FOLDER   keys, logs, states and pid files are in FOLDER
#   sh cluster.sh stop FOLDER
#
# Needs root. /etc/slurm/slurm.conf is written, since jobs find no other, and removed at the end; where there is one of
# somebody else, nothing is done.
set -eu

CONFIGURATION=/etc/slurm/slurm.conf
OURS="# written by gardenpath's tests"
SOCKET=/run/munge/munge.socket.2
MUNGE=/run/munge/gardenpath

install_packages() {
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends slurmctld slurmd slurm-client munge
}

refuse_other_clusters() {
    if [ -e "$CONFIGURATION" ] && ! grep -q "$OURS" "$CONFIGURATION"; then
        echo "$CONFIGURATION belongs to another cluster" >&2
        exit 1
    fi
    if [ -S "$SOCKET" ] && munge --no-input --socket "$SOCKET" >/dev/null 2>&1; then
        echo "munge is running already" >&2
        exit 1
    fi
}

write_configuration() {
    host=$(hostname -s)
    memory=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
    mkdir -p "$(dirname "$CONFIGURATION")"
    cat >"$CONFIGURATION" <<END
$OURS
ClusterName=gardenpath
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.log
# A job that is requeued starts again after BatchStartTimeout at the earliest; the tests do not wait for minutes.
SchedulerParameters=batch_sched_delay=1,sched_interval=2
BatchStartTimeout=5
KillWait=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
}

start_munge() {
    # Not in FOLDER, whose parents may be closed to the user munge.
    mkdir -p "$MUNGE"
    dd if=/dev/urandom of="$MUNGE/key" bs=1024 count=1 2>/dev/null
    chown -R munge:munge /run/munge
    chmod 755 /run/munge
    chmod 700 "$MUNGE"
    chmod 400 "$MUNGE/key"
    setpriv --reuid munge --regid munge --clear-groups munged --key-file "$MUNGE/key" --socket "$SOCKET" \
        --pid-file "$MUNGE/munged.pid" --log-file "$MUNGE/munged.log" --seed-file "$MUNGE/seed" --force
}

start_cluster() {
    refuse_other_clusters
    mkdir -p "$1/state" "$1/spool"
    chmod 755 "$1"
    write_configuration "$1"
    start_munge
    slurmctld
    slurmd
    for _ in $(seq 60); do
        if sinfo --noheader --format %T 2>/dev/null | grep -q idle; then
            return
        fi
        sleep 1
    done
    echo "the node does not become idle:" >&2
    tail -n 20 "$1/slurmctld.log" "$1/slurmd.log" >&2
    stop_cluster "$1"
    exit 1
}

stop_cluster() {
    for file in "$1/slurmd.pid" "$1/slurmctld.pid" "$MUNGE/munged.pid"; do
        if [ -s "$file" ]; then
            kill "$(cat "$file")" 2>/dev/null || true
        fi
    done
    if [ -e "$CONFIGURATION" ] && grep -q "$OURS" "$CONFIGURATION"; then
        rm "$CONFIGURATION"
    fi
    rm -rf "$MUNGE"
}

case "$1" in
    install) install_packages ;;
    start) start_cluster "$(realpath "$2")" ;;
    stop) stop_cluster "$(realpath "$2")" ;;
esac
