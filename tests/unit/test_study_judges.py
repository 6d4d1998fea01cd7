"""Formulas of claims over times made up for the purpose, with the arithmetic shown."""

import pytest
from corewise.studies import judges
from corewise.studies.emulated_judges import EMULATED
from corewise.studies.judges import COMPUTED, MEASURED, Places, Point
from corewise.studies.study_file import load_study, study_names
from corewise.studies.thread_places import ThreadPlaces


def times(rows: dict[tuple[str, str, str], float], nodes: int = 8) -> judges.Times:
    return {Point(*key, nodes): time_s for key, time_s in rows.items()}


def one_binding(workload: str, default: float, singlified: float, new_pin: float) -> judges.Times:
    by_policy = {"default": default, "singlified": singlified, "new_pin": new_pin}
    return times({(workload, policy, "socket"): time_s for policy, time_s in by_policy.items()})


# motif_1: spread 3/2 - 1 = 0.5; motif_2: 12.2/10 - 1 = 0.22; pi: 1.01/1 - 1 = 0.01.
THREE = {
    **one_binding("motif_1", 2.0, 3.0, 2.5),
    **one_binding("motif_2", 12.5, 12.2, 10.0),
    **one_binding("pi", 1.0, 1.0, 1.01),
}


def test_the_spread_of_policies_is_a_median():
    assert judges.policy_spread(THREE) == pytest.approx(0.25)  # of 0.5, 12.5/10 - 1 = 0.25, 0.01


def test_the_slowdown_of_motif_2_is_over_new_pin():
    assert judges.motif_2_slowdown(THREE) == pytest.approx(0.22)


def test_new_pin_is_worst_where_no_policy_is_slower():
    assert judges.new_pin_worst(THREE) == 1  # pi alone
    # 2/2.5 - 1 = -0.2, 12.2/10 - 1 = 0.22, 1/1.01 - 1 = -0.0099
    assert judges.new_pin_gain(THREE) == pytest.approx((-0.2 + 0.22 - 0.00990099) / 3)


def test_bindings_are_compared_by_the_fastest_policy():
    bound = times(
        {
            ("motif_1", "default", "board"): 3.0,
            ("motif_1", "default", "numa"): 2.0,
            ("motif_1", "singlified", "numa"): 2.5,
            ("motif_2", "default", "board"): 4.88,
            ("motif_2", "default", "numa"): 2.0,
            ("motif_2", "singlified", "numa"): 1.0,
        }
    )
    assert judges.singlified_finest_best(bound) == 1  # motif_2
    assert judges.motif_2_speedup(bound) == pytest.approx(4.88)
    assert judges.finer_binding_best(bound) == 1.0
    assert judges.motif_binding_gain(bound) is None  # nothing was bound to sockets


def test_bindings_with_the_same_cores_show_the_noise():
    bound = times(
        {
            ("pi", "default", "board"): 1.0,
            ("pi", "default", "socket"): 1.1,  # 0.1
            ("pi", "new_pin", "board"): 1.3,
            ("pi", "new_pin", "socket"): 1.0,  # 0.3
            ("pi", "singlified", "board"): 1.0,  # alone
        }
    )
    assert judges.binding_noise(bound, "socket", "board") == pytest.approx(0.2)
    assert judges.binding_noise({}, "socket", "board") is None


def test_the_gain_of_sockets_is_the_lesser_of_the_two_motifs():
    bound = times(
        {
            ("motif_1", "default", "board"): 3.0,
            ("motif_1", "default", "socket"): 2.0,  # 3/2 - 1 = 0.5
            ("motif_2", "default", "board"): 1.1,
            ("motif_2", "default", "socket"): 1.0,  # 0.1
        }
    )
    assert judges.motif_binding_gain(bound) == pytest.approx(0.1)


def test_scaling_compares_policies_at_each_node_count_and_binding():
    scaled = {
        **times({("triangles", "pin", "socket"): 4.0, ("triangles", "new_pin", "socket"): 1.0}, nodes=2),
        **times({("triangles", "pin", "board"): 1.0, ("triangles", "new_pin", "board"): 2.0}, nodes=2),
    }
    assert judges.pin_slowest(scaled) == 0.5  # with socket, not with board
    assert judges.board_over_socket_range(scaled) == 8.0  # new_pin 2/1, pin 1/4


@pytest.mark.parametrize("name", MEASURED)
def test_without_times_there_is_no_number(name):
    assert MEASURED[name]({}) is None


@pytest.mark.parametrize("register", [MEASURED, COMPUTED])
def test_registers_are_sorted(register):
    assert list(register) == sorted(register)


def test_every_claim_has_its_judge_and_every_judge_a_claim():
    named = {claim.judge for name in study_names() for claim in load_study(name).claims}
    assert named == MEASURED.keys() | COMPUTED.keys() | EMULATED.keys()


def places(policy: str, binding: str, **wrong: int) -> ThreadPlaces:
    numbers = dict.fromkeys(("shared_cores", "most_on_a_core", "idle_cores", "outside", "mixed_cores"), 0)
    numbers |= {"doubled_cores": 0, "helper_domains": 1, "at_card": 1, "near_card": 1} | wrong
    return ThreadPlaces(
        machine="m",
        binding=binding,
        policy=policy,
        n_processes=2,
        n_threads=4,
        n_pinned=4,
        sharing="",
        adjacent=True,
        card_distance={"machine": 2},
        **numbers,
    )


@pytest.mark.parametrize("wrong", ["shared_cores", "outside", "mixed_cores", "near_card"])
def test_any_fault_of_new_pin_is_a_violation(wrong):
    good, bad = places("new_pin", "board"), places("new_pin", "socket", **{wrong: 3})
    assert COMPUTED["new-pin-violations"](Places([good], {})) == (0, True)
    violations, holds = COMPUTED["new-pin-violations"](Places([good, bad], {}))
    assert violations > 0 and not holds


def test_collisions_and_doubled_cores_are_counted_and_may_fail_to_be_there():
    rows = [places("pin", "socket", shared_cores=10), places("pin", "board")]
    assert COMPUTED["pin-collisions"](Places(rows, {})) == (10, True)
    assert COMPUTED["pin-on-hardware-threads"](Places(rows, {})) == (0, False)
    doubled = Places([places("singlified", "board", doubled_cores=2)], {"numa": None})
    assert COMPUTED["singlified-cores"](doubled) == (2, False)
    assert COMPUTED["numa-is-socket"](doubled) == ("other cores", False)
