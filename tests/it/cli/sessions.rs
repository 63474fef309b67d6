//! The sessions of tests/scripts.

use super::script;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

macro_rules! sessions {
    ($($name:ident),+ $(,)?) => {
        $(
            #[test]
            fn $name() {
                script::run(&folder().join(concat!(stringify!($name), ".txt")));
            }
        )+

        /// Every session.
        pub const NAMES: &[&str] = &[$(stringify!($name)),+];
    };
}

sessions! {
    demo,
    divisions,
    byes_requested,
    divisions_apart,
    divisions_rounds,
    desk_claims,
    season_passed_over,
    story_ruleset_in_a_circle,
    story_ruleset_not_shipped,
    story_ruling_slips,
    story_renamed,
    story_cut_made_anew,
    story_not_typed_right,
    story_two_reasons_to_repair,
    story_dispute_looked_back,
    story_two_game_losses,
    story_game_loss_and_two_games,
    story_set_as_drawn,
    simulate_beside,
    store_copy,
    story_cut_and_drop,
    trust_taken_back,
    trust_rotated_twice,
    trust_sheet,
    trust_signed_damaged,
    forget_words,
    announced,
    csv_kinds,
    csv_phases,
    csv_wargame,
    unfinished,
    cut_and_floor,
    explain,
    explain_performance,
    files_mixed_up,
    follow,
    export_page,
    compare,
    copies,
    events,
    import_again,
    import_cross_table,
    import_league,
    postponed,
    import_other_name,
    import_removed,
    import_put_right,
    import_renewed,
    import_rounds,
    import_without_tables,
    check_standings,
    chess_report,
    chess_colors,
    log_and_verify,
    log_filters,
    review,
    names,
    refused_rulesets,
    rules,
    rules_editions,
    bundle,
    bundle_folder,
    handover,
    wide_names,
    desk_bracket,
    desk_event,
    whole_event,
    desk_json,
    desk_kept_tables,
    desk_pods,
    desk_refusals,
    desk_results,
    desk_seats,
    desk_signup,
    desk_tables,
    desk_titles,
    desk_undo,
    source_carde,
    source_battlefy,
    source_mtr,
    source_splinterlands,
    source_splinterlands_twelve,
    source_splinterlands_counts,
    source_hgbts,
    story_double_six,
    story_round_robin_five,
    story_late_in_chess,
    story_round_robin_of_chess,
    story_pods,
    story_two_days,
    story_reseeded_cut,
    story_backwards_result,
    story_dropped_by_mistake,
    story_late_after_three_rounds,
    story_list_too_late,
    story_no_show,
    story_opposite,
    story_opposite_the_bye,
    story_undo,
    story_what_was_meant,
    story_wrong_drop,
    story_two_names,
    story_bye_and_drop,
    story_everybody_had_a_bye,
    story_nobody_left_to_meet,
    story_set_by_hand,
    story_drawn_anew,
    story_bad_slips,
    story_disqualified,
    story_forgotten_bracket,
    story_who_did_it,
    story_first_hours,
    story_closing_early,
    new_like,
    story_list_once_more,
    story_two_brackets_elsewhere,
    overview,
    story_two_events,
    story_dispute_upheld,
    story_dispute_denied,
    story_what_if,
    story_round_robin_too_late,
    story_round_robin_back,
    story_slips_as_printed,
    story_names_alike,
    story_closed_before_the_final,
    story_undone_beside_bea,
    story_reinstated_after_the_cut,
    story_ruled_and_played,
    story_penalty_and_score,
    story_knocked_out_and_played_on,
    story_final_played_again,
    story_semi_final_played_again,
    story_final_turned_back,
    story_wrong_rating,
    what_if_imported,
    reach,
    rebuild,
    publisher_copy,
    rebuild_bundles,
    rebuild_page,
    forget,
    time_twice,
    time_film,
    time_refused,
    trust_checkpoints,
    trust_forked_log,
    trust_lost_key,
    trust_receipt,
    trust_restored_store,
    trust_rotated_key,
    trust_stolen_key,
}

#[test]
fn every_file_is_a_session_that_runs() {
    let names = std::fs::read_dir(folder()).expect("the folder").map(|entry| {
        let path = entry.expect("readable").path();
        path.file_stem().expect("a name").to_string_lossy().into_owned()
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    let mut listed = NAMES.to_vec();
    listed.sort();
    assert_eq!(names, listed);
}
