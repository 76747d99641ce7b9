# The R side of versus_r.py. Usage: Rscript versus_r.R FOLDER
#
# Reads FOLDER/expressions.csv (case, expression), FOLDER/values.csv (case, set, variable, value), FOLDER/models.csv
# (set, family, formula, and our fit: factors, effects) and FOLDER/rows.csv (the rows of the models' data sets);
# writes FOLDER/answers.csv (case, set, index, value) and FOLDER/fits.csv (set, name, value).

folder <- commandArgs(trailingOnly = TRUE)[1]
path <- function(name) file.path(folder, name)
read <- function(name) read.csv(path(name), stringsAsFactors = FALSE)

answer <- function(values, expression) {
  data <- split(values$value, factor(values$variable, unique(values$variable)))
  as.numeric(suppressWarnings(eval(parse(text = expression), data)))
}

expressions <- read("expressions.csv")
values <- read("values.csv")
answers <- do.call(rbind, lapply(seq_len(nrow(expressions)), function(row) {
  mine <- values[values$case == expressions$case[row], ]
  do.call(rbind, lapply(split(mine, mine$set), function(one) {
    found <- answer(one, expressions$expression[row])
    data.frame(case = one$case[1], set = one$set[1], index = seq_along(found), value = found)
  }))
}))
write.csv(answers, path("answers.csv"), row.names = FALSE)

suppressPackageStartupMessages(library(lme4))
tests <- requireNamespace("lmerTest", quietly = TRUE)
quietly <- function(expression) suppressMessages(suppressWarnings(expression))
numbers <- function(text) as.numeric(strsplit(text, ",")[[1]])

# Our covariance factors in the order of lme4's parameters.
our_theta <- function(model, fit) {
  parts <- strsplit(strsplit(model$factors, ";")[[1]], ":")
  factors <- setNames(lapply(parts, function(part) numbers(part[2])), sapply(parts, `[`, 1))
  columns <- sapply(getME(fit, "cnms"), `[`, 1)
  named <- ifelse(columns == "(Intercept)", names(columns), paste0(names(columns), ".", columns))
  unlist(factors[named], use.names = FALSE)
}

fixed_effects <- function(fit) {
  errors <- sqrt(diag(as.matrix(quietly(vcov(fit)))))
  c(setNames(fixef(fit), paste0("b", seq_along(errors))), setNames(errors, paste0("se", seq_along(errors))))
}

fit_logistic <- function(model, data) {
  formula <- as.formula(model$formula)
  fit <- quietly(glmer(formula, data, family = binomial))
  effects <- fixed_effects(fit)
  found <- c(log_likelihood = as.numeric(logLik(fit)), singular = isSingular(fit),
             largest = max(abs(c(getME(fit, "theta"), effects))), effects)
  # As ours: without what the uncertain spreads add.
  known <- sqrt(diag(as.matrix(quietly(vcov(fit, use.hessian = FALSE)))))
  found <- c(found, setNames(known, paste0("known", seq_along(known))))
  if (nchar(model$factors) > 0) {
    # Without the looser tolerance of its inner search, which moves a log-likelihood by up to 0.002.
    control <- glmerControl(tolPwrss = 1e-11)
    deviance <- quietly(glmer(formula, data, family = binomial, devFunOnly = TRUE, control = control))
    found["at_ours"] <- -deviance(c(our_theta(model, fit), numbers(model$effects))) / 2
  }
  found
}

fit_linear <- function(model, data) {
  formula <- as.formula(model$formula)
  fit <- quietly(lmer(formula, data, REML = FALSE))
  deviance <- quietly(lmer(formula, data, REML = FALSE, devFunOnly = TRUE))
  restricted <- quietly(lmer(formula, data, REML = TRUE))
  found <- c(log_likelihood = as.numeric(logLik(fit)), singular = isSingular(fit), largest = 0,
             at_ours = -deviance(our_theta(model, fit)) / 2, restricted = as.numeric(logLik(restricted)),
             restricted_singular = isSingular(restricted), fixed_effects(fit))
  if (tests && !isSingular(restricted, 1e-3)) {
    tested <- quietly(lmerTest::as_lmerModLmerTest(restricted))
    table <- summary(tested)$coefficients
    found <- c(found, setNames(table[, "df"], paste0("df", seq_len(nrow(table)))),
               setNames(table[, "Pr(>|t|)"], paste0("p", seq_len(nrow(table)))))
    if (nrow(table) > 1) {
      together <- lmerTest::contestMD(tested, diag(nrow(table))[-1, , drop = FALSE])
      found <- c(found, f = together[["F value"]], df_error = together[["DenDF"]], p_f = together[["Pr(>F)"]])
    }
  }
  found
}

models <- read("models.csv")
rows <- split(read("rows.csv"), factor(read("rows.csv")$set, models$set))
fits <- do.call(rbind, lapply(seq_len(nrow(models)), function(index) {
  model <- models[index, ]
  data <- rows[[as.character(model$set)]]
  fit <- if (model$family == "logistic") fit_logistic else fit_linear
  found <- tryCatch(fit(model, data), error = function(problem) c(failed = 1))
  data.frame(set = model$set, name = names(found), value = unname(found))
}))
write.csv(fits, path("fits.csv"), row.names = FALSE)
versions <- c(R = as.character(getRversion()), lme4 = as.character(packageVersion("lme4")),
              lmerTest = if (tests) as.character(packageVersion("lmerTest")) else "absent")
writeLines(paste(names(versions), versions), path("versions.txt"))
